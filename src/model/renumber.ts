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
    case "meta":
      return body.labels === undefined
        ? body
        : { ...body, labels: relabelled(body.labels, renumber) };
    default:
      return body;
  }
}

/** Labels lie under the numbers of the events they name. */
function relabelled(
  labels: Readonly<Record<string, string>>,
  renumber: (id: EventId) => EventId,
): Readonly<Record<string, string>> {
  const moved = Object.entries(labels).map(([id, label]) => [renumber(Number(id)), label]);
  return Object.fromEntries(moved);
}
