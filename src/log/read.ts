import type { Line } from "../jsonl/line.ts";
import { isBlank } from "../jsonl/line.ts";
import { parseLine } from "../jsonl/parse-line.ts";
import { linesForward } from "../jsonl/read-forward.ts";
import type { Damage } from "../model/damage.ts";
import type { SessionEvent } from "../model/event.ts";
import { idOf, isEvent, ownJson, sumOf } from "./line.ts";
import { StrayFilter } from "./strays.ts";

/** What stands in a log: an event, damage, or an unfinished last line, which may be a write in progress. */
export type LogItem =
  | LogEvent
  | { readonly kind: "damage"; readonly damage: Damage }
  | { readonly kind: "unfinished"; readonly offset: number; readonly length: number };

/** An event, and where its line lies. */
export interface LogEvent {
  readonly kind: "event";
  readonly event: SessionEvent;
  readonly offset: number;
  readonly length: number;
}

/**
 * Reads a log from an offset on. Damage is reported where it stands, and what it still holds is read (P2). Whole lines that
 * are not wanted are passed over without being parsed.
 */
export function* readLog(
  fd: number,
  span: {
    readonly from?: number;
    readonly end?: number;
    isWanted?(line: Buffer): boolean;
  } = {},
): Generator<LogItem> {
  const strays = new StrayFilter();
  for (const line of linesForward(fd, span)) {
    if (span.isWanted?.(line.bytes) === false && passOver(line, strays)) continue;
    for (const item of itemsOf(line)) {
      const isStray = item.kind === "event" && strays.isStray(item.event, line.bytes);
      yield isStray ? { kind: "damage", damage: repeated(item) } : item;
    }
  }
}

/** Counts a line that nobody wants, by its number and sum alone; false if it has none and must be looked at. */
function passOver({ bytes, complete, tooLong }: Line, strays: StrayFilter): boolean {
  if (!complete || tooLong) return false;
  const [id, sum] = [idOf(bytes), sumOf(bytes)];
  if (id === undefined || sum === undefined) return false;
  strays.isStray({ id, sum }, bytes);
  return true;
}

/** The damage of an event whose number another event has. */
export function repeated({ event, offset, length }: LogEvent): Damage {
  return { kind: "duplicate_id", offset, length, recovered: 0, detail: `event ${event.id}` };
}

/** The items of one line. */
export function* itemsOf(line: Line): Generator<LogItem> {
  const { offset, length } = line;
  if (!line.complete) {
    yield { kind: "unfinished", offset, length };
    return;
  }
  if (line.tooLong) {
    yield { kind: "damage", damage: { kind: "too_long", offset, length, recovered: 0 } };
    return;
  }
  if (isBlank(line.bytes)) return;
  const { records, kind } = parseLine(line.bytes, isEvent, ownJson);
  const events = records.flatMap((record): SessionEvent[] => (isEvent(record) ? [record] : []));
  for (const event of events) yield { kind: "event", event, offset, length };
  if (kind !== undefined || events.length === 0) {
    const damage: Damage = { kind: kind ?? "bad_record", offset, length, recovered: events.length };
    yield { kind: "damage", damage };
  }
}
