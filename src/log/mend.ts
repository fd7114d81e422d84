import { closeSync, openSync } from "node:fs";
import type { JsonObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { parseLine } from "../jsonl/parse-line.ts";
import { linesForward } from "../jsonl/read-forward.ts";
import type { EventBody, EventId, RecoveredEvent, SessionEvent } from "../model/event.ts";
import { renumbered } from "../model/renumber.ts";
import type { Draft } from "./draft.ts";
import { isEvent, ownJson } from "./line.ts";
import type { Quarantined } from "./quarantine.ts";
import { readLog } from "./read.ts";

/** What must be known of a log to bring events back into it. */
export interface MendOptions {
  readonly lastId: EventId;
  readonly open: (event: SessionEvent) => SessionEvent | undefined;
  /** Whether the log has this very event. */
  readonly isThere: (event: SessionEvent) => boolean;
}

/**
 * What is appended after a span of a log was put aside: one `recovered` event that says what happened,
 * then every event that is still whole in it. They get new numbers after `lastId`; numbers they point to are moved
 * along.
 */
export function draftsFromQuarantine(taken: Quarantined, options: MendOptions): readonly Draft[] {
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
  const again = events.map((event) => draftOf(event, renumber, event.id <= lastId));
  return [{ body: notice }, ...again];
}

/** How far a mending came: the number of its `recovered` event, and how many events were brought back after it. */
export interface MendProgress {
  readonly notice: EventId;
  readonly recovered: number;
  readonly isDone: boolean;
}

/** What a log holds of what mending by this record appends; undefined where nothing was appended yet. */
export function mendProgress(
  fd: number,
  taken: Quarantined,
  open: (event: SessionEvent) => SessionEvent | undefined,
): MendProgress | undefined {
  let progress: MendProgress | undefined;
  let wanted = 0;
  for (const item of readLog(fd, { from: taken.from })) {
    const event = item.kind === "event" ? open(item.event) : undefined;
    if (event === undefined) continue;
    if (progress === undefined) {
      if (event.type !== "recovered" || event.quarantine !== taken.name) continue;
      wanted = event.recovered;
      progress = { notice: event.id, recovered: 0, isDone: wanted === 0 };
    } else if (event.recoveredFrom !== undefined) {
      const recovered = progress.recovered + 1;
      progress = { ...progress, recovered, isDone: recovered === wanted };
    }
    if (progress.isDone) return progress;
  }
  return progress;
}

/** What says where the session stands: from a writer that was replaced it comes too late. */
const steering: ReadonlySet<string> = new Set([
  "rewind",
  "restore",
  "compaction",
  "meta",
  "session_end",
]);

function draftOf(event: SessionEvent, renumber: (id: EventId) => EventId, isLate: boolean): Draft {
  const said = bodyOf(event);
  const body: EventBody =
    isLate && steering.has(said.type)
      ? { type: "custom", name: `recovered_${said.type}`, data: said as unknown as JsonObject }
      : renumbered(said, renumber);
  const { blobs } = event;
  // Its large strings lie in the blob store already: the line goes on naming them.
  const stored = blobs === undefined ? undefined : Object.assign({}, body, { blobs });
  return { body, ...(stored && { stored }), at: event.at, recoveredFrom: event.id };
}

/**
 * Whether a whole event of the bytes put aside goes back into the log. One that the log has is a copy; so is what a
 * replaced writer tried to bring back itself, because anyone who replaced it had to do that first.
 */
function isWanted(event: SessionEvent, { lastId, isThere }: MendOptions): boolean {
  if (event.type === "session_start") return false;
  if (event.id > lastId) return true;
  return event.type !== "recovered" && event.recoveredFrom === undefined && !isThere(event);
}

function wholeEvents(
  taken: Quarantined,
  options: MendOptions,
): { readonly events: readonly SessionEvent[]; readonly damaged: number } {
  const events: SessionEvent[] = [];
  const seen = new Set<string>();
  let damaged = 0;
  const fd = openSync(taken.path, "r");
  try {
    const span = { from: taken.offset, maxLineBytes: limits.lineBytes + 1 };
    for (const line of linesForward(fd, span)) {
      const { records, kind } = line.tooLong
        ? { records: [], kind: "too_long" }
        : parseLine(line.bytes, isEvent, ownJson);
      let isDamaged = kind !== undefined;
      for (const record of records) {
        const key = isEvent(record) ? `${record.id} ${record.sum}` : "";
        if (!isEvent(record) || !isWanted(record, options) || seen.has(key)) continue;
        const event = options.open(record);
        // A sealed line that was changed stays in quarantine; it must not keep the others there.
        if (event === undefined) {
          isDamaged = true;
          continue;
        }
        seen.add(key);
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
