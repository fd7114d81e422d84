import type { EventBody, EventId } from "./event.ts";

/** The body with every number that points to another event moved along. */
export function renumbered(body: EventBody, renumber: (id: EventId) => EventId): EventBody {
  switch (body.type) {
    case "rewind":
      return { ...body, to: renumber(body.to), from: renumber(body.from) };
    case "compaction":
      return body.keepFrom === undefined ? body : { ...body, keepFrom: renumber(body.keepFrom) };
    case "restore":
      return { ...body, checkpoint: renumber(body.checkpoint) };
    default:
      return body;
  }
}
