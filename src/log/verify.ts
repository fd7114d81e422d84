import { linesForward } from "../jsonl/read-forward.ts";
import type { Damage } from "../model/damage.ts";
import type { EventId, SessionEvent } from "../model/event.ts";
import { bareLine, decodeLine, expectedSum, sumOf } from "./line.ts";
import { itemsOf } from "./read.ts";

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
}

/** Checks every line of a log: its JSON, its sum after the line before, its number and its parent. */
export function verifyLog(
  fd: number,
  start: { readonly firstId: EventId; readonly firstSum: string },
): Verification {
  let previousSum: string | undefined = start.firstSum;
  let lastId = start.firstId - 1;
  let isAfterDamage = false;
  let events = 0;
  let bytes = 0;
  let unverified = 0;
  let unfinishedBytes = 0;
  const problems: Damage[] = [];
  const gaps: Gap[] = [];
  for (const line of linesForward(fd)) {
    bytes += line.length;
    if (!line.complete) {
      unfinishedBytes = line.length;
      break;
    }
    const place = { offset: line.offset, length: line.length, recovered: 0 };
    const event = line.tooLong ? undefined : decodeLine(line.bytes);
    const sum: string | undefined = line.tooLong ? undefined : sumOf(line.bytes);
    if (event === undefined || sum === undefined) {
      for (const item of itemsOf(line)) {
        if (item.kind === "damage") problems.push(item.damage);
        else if (item.kind === "event") lastId = Math.max(lastId, item.event.id);
      }
      if (event !== undefined) problems.push({ kind: "bad_sum", ...place, recovered: 1 });
      previousSum = sum;
      isAfterDamage = true;
      continue;
    }
    events += 1;
    if (previousSum === undefined) unverified += 1;
    else if (expectedSum(line.bytes, previousSum) !== sum) {
      problems.push({ kind: "bad_sum", ...place, recovered: 1, detail: `event ${event.id}` });
    }
    const detail = `event ${event.id}`;
    const isAhead = event.id > lastId + 1;
    if (event.id <= lastId) {
      problems.push({ kind: "duplicate_id", ...place, recovered: 1, detail });
    } else if (isAhead && !isAfterDamage) {
      const after = `${event.id} after ${lastId}`;
      problems.push({ kind: "bad_id", ...place, recovered: 1, detail: after });
    }
    const problem = parentProblem(event, start.firstId, gaps);
    if (problem !== undefined) problems.push({ kind: problem, ...place, recovered: 1, detail });
    // Told after this line: that its own predecessor is missing was said by its number.
    if (isAhead) gaps.push({ first: lastId + 1, last: event.id - 1 });
    if (bareLine(line.bytes).length < line.bytes.length) {
      const added = "an editor added a byte order mark or a carriage return";
      problems.push({ kind: "bad_record", ...place, recovered: 1, detail: added });
    }
    previousSum = sum;
    isAfterDamage = false;
    lastId = Math.max(lastId, event.id);
  }
  return { events, bytes, lastId, problems, unverified, unfinishedBytes };
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
