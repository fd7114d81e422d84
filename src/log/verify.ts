import { linesForward } from "../jsonl/read-forward.ts";
import type { Damage } from "../model/damage.ts";
import type { EventId } from "../model/event.ts";
import { decodeLine, expectedSum, sumOf } from "./line.ts";
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
  let events = 0;
  let bytes = 0;
  let unverified = 0;
  let unfinishedBytes = 0;
  const problems: Damage[] = [];
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
      for (const item of itemsOf(line)) if (item.kind === "damage") problems.push(item.damage);
      if (event !== undefined) problems.push({ kind: "bad_sum", ...place, recovered: 1 });
      previousSum = sum;
      continue;
    }
    events += 1;
    if (previousSum === undefined) unverified += 1;
    else if (expectedSum(line.bytes, previousSum) !== sum) {
      problems.push({ kind: "bad_sum", ...place, recovered: 1, detail: `event ${event.id}` });
    }
    if (event.id <= lastId) {
      problems.push({ kind: "duplicate_id", ...place, recovered: 1, detail: `event ${event.id}` });
    } else if (event.id !== lastId + 1 && previousSum !== undefined) {
      problems.push({
        kind: "bad_id",
        ...place,
        recovered: 1,
        detail: `${event.id} after ${lastId}`,
      });
    }
    if (event.parent !== undefined && event.parent >= event.id) {
      problems.push({ kind: "cycle", ...place, recovered: 1, detail: `event ${event.id}` });
    }
    previousSum = sum;
    lastId = Math.max(lastId, event.id);
  }
  return { events, bytes, lastId, problems, unverified, unfinishedBytes };
}
