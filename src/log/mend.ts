import { closeSync, openSync } from "node:fs";
import { limits } from "../base/limits.ts";
import { parseLine } from "../jsonl/parse-line.ts";
import { linesForward } from "../jsonl/read-forward.ts";
import type { EventBody, EventId, RecoveredEvent, SessionEvent } from "../model/event.ts";
import { renumbered } from "../model/renumber.ts";
import type { Draft } from "./draft.ts";
import { isEvent } from "./line.ts";
import type { Quarantined } from "./quarantine.ts";
import { readLog } from "./read.ts";

/**
 * What is appended after a damaged end was cut off: one `recovered` event that says what happened,
 * then every event that is still whole in the bytes put aside. They get new numbers after `lastId`;
 * numbers they point to are moved along.
 */
export function draftsFromQuarantine(
  taken: Quarantined,
  options: {
    readonly lastId: EventId;
    readonly open: (event: SessionEvent) => SessionEvent | undefined;
  },
): readonly Draft[] {
  const { lastId } = options;
  const { events, damaged } = wholeEvents(taken, options);
  const firstId = lastId + 2;
  const moved = new Map(events.map((event, index) => [event.id, firstId + index]));
  const renumber = (id: EventId): EventId => moved.get(id) ?? (id <= lastId ? id : lastId);
  const notice: RecoveredEvent = {
    type: "recovered",
    quarantine: taken.name,
    bytes: taken.bytes,
    damaged,
    recovered: events.length,
  };
  return [{ body: notice }, ...events.map((event) => again(event, renumber))];
}

/** Whether a log holds, whole, everything that mending by this record appends. */
export function isMended(
  fd: number,
  taken: Quarantined,
  open: (event: SessionEvent) => SessionEvent | undefined,
): boolean {
  let left: number | undefined;
  for (const item of readLog(fd, { from: taken.from })) {
    const event = item.kind === "event" ? open(item.event) : undefined;
    if (event === undefined) return false;
    if (left === undefined) {
      if (event.type !== "recovered" || event.quarantine !== taken.name) return false;
      left = event.recovered;
    } else if (event.recoveredFrom !== undefined) left -= 1;
    if (left === 0) return true;
  }
  return false;
}

function again(event: SessionEvent, renumber: (id: EventId) => EventId): Draft {
  const body = renumbered(bodyOf(event), renumber);
  const { blobs } = event;
  // Its large strings lie in the blob store already: the line goes on naming them.
  const stored = blobs === undefined ? undefined : Object.assign({}, body, { blobs });
  return { body, ...(stored && { stored }), at: event.at, recoveredFrom: event.id };
}

function wholeEvents(
  taken: Quarantined,
  options: {
    readonly lastId: EventId;
    readonly open: (event: SessionEvent) => SessionEvent | undefined;
  },
): { readonly events: readonly SessionEvent[]; readonly damaged: number } {
  const events: SessionEvent[] = [];
  const seen = new Set<EventId>();
  let damaged = 0;
  const fd = openSync(taken.path, "r");
  try {
    const span = { from: taken.offset, maxLineBytes: limits.lineBytes + 1 };
    for (const line of linesForward(fd, span)) {
      const { records, kind } = line.tooLong
        ? { records: [], kind: "too_long" }
        : parseLine(line.bytes, isEvent);
      let isDamaged = kind !== undefined;
      for (const record of records) {
        if (!isEvent(record) || record.type === "session_start") continue;
        if (record.id <= options.lastId || seen.has(record.id)) continue;
        const event = options.open(record);
        // A sealed line that was changed stays in quarantine; it must not keep the others there.
        if (event === undefined) {
          isDamaged = true;
          continue;
        }
        seen.add(record.id);
        events.push(event);
      }
      if (isDamaged) damaged += 1;
    }
  } finally {
    closeSync(fd);
  }
  return { events, damaged };
}

/** An event without its place. */
export function bodyOf(event: SessionEvent): EventBody {
  const { id, parent, at, sum, metaAt, recoveredFrom, blobs, ...body } = event;
  return body as EventBody;
}
