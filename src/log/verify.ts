import { isBlank } from "../jsonl/line.ts";
import { linesForward } from "../jsonl/read-forward.ts";
import type { Damage } from "../model/damage.ts";
import type { EventId, SessionEvent } from "../model/event.ts";
import { bareLine, expectedSum, sumOf } from "./line.ts";
import { itemsOf } from "./read.ts";
import { sealedFields } from "./sealed-line.ts";

/** What a whole log looks like. */
export interface Verification {
  readonly events: number;
  readonly bytes: number;
  readonly lastId: EventId;
  readonly problems: readonly Damage[];
  /** Lines that could not be checked because the line before them is damaged. */
  readonly unverified: number;
  /** Bytes after the last whole line: a write in progress, or a torn tail. */
  readonly unfinishedBytes: number;
  /** The sum of the last line; undefined if that cannot be read. */
  readonly lastSum: string | undefined;
}

/** How a log is verified. */
export interface VerifyOptions {
  readonly firstId: EventId;
  readonly firstSum: string;
  /** Where to stop; at the end of the file if absent. */
  readonly end?: number | undefined;
  /** Opens an event as a reader would, and reports what a reader would. */
  readonly open?: (event: SessionEvent, offset: number, onDamage: (found: Damage) => void) => void;
}

/**
 * Checks every line of a log: its JSON, its sum after the line before, its number and its parent. With `open` it
 * also reports whatever a reader of the events would.
 */
export function verifyLog(fd: number, options: VerifyOptions): Verification {
  const { firstId, open } = options;
  let previousSum: string | undefined = options.firstSum;
  let lastId = firstId - 1;
  let isAfterDamage = false;
  let events = 0;
  let bytes = 0;
  let unverified = 0;
  let unfinishedBytes = 0;
  const problems: Damage[] = [];
  const report = (damage: Damage) => problems.push(damage);
  const gaps: Gap[] = [];
  for (const line of linesForward(fd, { end: options.end })) {
    bytes += line.length;
    if (!line.complete) {
      unfinishedBytes = line.length;
      break;
    }
    // What mending made blank: the next line follows the one before it.
    if (!line.tooLong && isBlank(line.bytes)) continue;
    const place = { offset: line.offset, length: line.length, recovered: 0 };
    const held: SessionEvent[] = [];
    let isDamaged = false;
    for (const item of itemsOf(line)) {
      if (item.kind === "event") held.push(item.event);
      else if (item.kind === "damage") {
        isDamaged = true;
        report(item.damage);
      }
    }
    for (const event of held) open?.(event, line.offset, report);
    const [event] = held;
    const sum: string | undefined = line.tooLong ? undefined : sumOf(line.bytes);
    if (event === undefined || sum === undefined || isDamaged) {
      for (const { id } of held) lastId = Math.max(lastId, id);
      if (held.length > 0 && !isDamaged) report({ kind: "bad_sum", ...place, recovered: 1 });
      previousSum = sum;
      isAfterDamage = true;
      continue;
    }
    events += 1;
    const detail = `event ${event.id}`;
    if (previousSum === undefined) unverified += 1;
    else if (expectedSum(line.bytes, previousSum) !== sum) {
      report({ kind: "bad_sum", ...place, recovered: 1, detail });
    } else if (!isInPlace(event, previousSum)) {
      const moved = `event ${event.id} was sealed after another line`;
      report({ kind: "bad_sum", ...place, recovered: 1, detail: moved });
    }
    const isAhead = event.id > lastId + 1;
    if (event.id <= lastId) report({ kind: "duplicate_id", ...place, recovered: 1, detail });
    else if (isAhead && !isAfterDamage) {
      const after = `${event.id} after ${lastId}`;
      report({ kind: "bad_id", ...place, recovered: 1, detail: after });
    }
    const problem = parentProblem(event, firstId, gaps);
    if (problem !== undefined) report({ kind: problem, ...place, recovered: 1, detail });
    // Reported after this line: that its own predecessor is missing was said by its number.
    if (isAhead) gaps.push({ first: lastId + 1, last: event.id - 1 });
    if (bareLine(line.bytes).length < line.bytes.length) {
      const added = "an editor added a byte order mark or a carriage return";
      report({ kind: "bad_record", ...place, recovered: 1, detail: added });
    }
    previousSum = sum;
    isAfterDamage = false;
    lastId = Math.max(lastId, event.id);
  }
  return { events, bytes, lastId, problems, unverified, unfinishedBytes, lastSum: previousSum };
}

/** Whether a sealed line stands after the line it was written after; its seal proves which that was. */
function isInPlace(event: SessionEvent, previousSum: string): boolean {
  const { sealed, after } = sealedFields(event);
  return sealed === undefined || after === undefined || after === previousSum;
}

/** Numbers that no line of the file has. */
interface Gap {
  readonly first: EventId;
  readonly last: EventId;
}

function parentProblem(
  { id, parent }: SessionEvent,
  firstId: EventId,
  gaps: readonly Gap[],
): "cycle" | "missing_parent" | undefined {
  if (parent === undefined) return id === firstId ? undefined : "missing_parent";
  if (parent >= id) return "cycle";
  if (!Number.isSafeInteger(parent) || parent < 1) return "missing_parent";
  const isMissing = gaps.some(({ first, last }) => parent >= first && parent <= last);
  return isMissing ? "missing_parent" : undefined;
}
