import { newline } from "../jsonl/line.ts";
import { parseLine } from "../jsonl/salvage.ts";
import type { EventBody, EventId, RecoveredEvent, SessionEvent } from "../model/event.ts";
import { renumbered } from "../model/renumber.ts";
import { isEvent } from "./line.ts";
import type { Quarantined } from "./quarantine.ts";

/** An event to be appended anew, as mending or importing gives it. */
export interface Draft {
  readonly body: EventBody;
  /** What the line holds in its place, where large strings were moved to blobs. */
  readonly stored?: EventBody;
  /** What the line holds as JSON, where the caller has it already. */
  readonly json?: string;
  readonly at?: string;
  readonly recoveredFrom?: EventId;
}

/**
 * What is appended after a damaged end was cut off: one `recovered` event that says what happened,
 * then every event that is still whole in the bytes put aside. They get new numbers after `lastId`;
 * numbers they point to are moved along.
 */
export function draftsFromQuarantine(
  taken: Quarantined,
  options: { readonly lastId: EventId; readonly open: (event: SessionEvent) => SessionEvent },
): readonly Draft[] {
  const { lastId } = options;
  const { events, damaged } = wholeEvents(taken.bytes, lastId);
  const firstId = lastId + 2;
  const moved = new Map(events.map((event, index) => [event.id, firstId + index]));
  const renumber = (id: EventId): EventId => moved.get(id) ?? (id <= lastId ? id : lastId);
  const notice: RecoveredEvent = {
    type: "recovered",
    quarantine: taken.name,
    bytes: taken.bytes.length,
    damaged,
    recovered: events.length,
  };
  return [
    { body: notice },
    ...events.map((event) => ({
      body: renumbered(bodyOf(options.open(event)), renumber),
      at: event.at,
      recoveredFrom: event.id,
    })),
  ];
}

function wholeEvents(
  bytes: Buffer,
  lastId: EventId,
): { readonly events: readonly SessionEvent[]; readonly damaged: number } {
  const events: SessionEvent[] = [];
  const seen = new Set<EventId>();
  let damaged = 0;
  for (let start = 0; start < bytes.length; ) {
    const at = bytes.indexOf(newline, start);
    const end = at < 0 ? bytes.length : at;
    const { records, kind } = parseLine(bytes.subarray(start, end), isEvent);
    if (kind !== undefined) damaged += 1;
    for (const record of records) {
      if (!isEvent(record) || record.type === "session_start") continue;
      if (record.id <= lastId || seen.has(record.id)) continue;
      seen.add(record.id);
      events.push(record);
    }
    start = end + 1;
  }
  return { events, damaged };
}

/** An event without its place. */
export function bodyOf(event: SessionEvent): EventBody {
  const { id, parent, at, sum, metaAt, recoveredFrom, blobs, ...body } = event;
  return body as EventBody;
}
