import type { JsonObject } from "../base/json.ts";
import { allCounted, type ScanEnd, type SessionFacts } from "../model/usage-scan.ts";
import type { UsageTable } from "../model/usage-table.ts";
import { scanLines } from "./scan-lines.ts";

/** Takes rows out of the lines of one file. */
export interface LineTaker {
  /** Whole lines, one after the other. */
  take(buffer: Buffer): void;
  readonly facts: SessionFacts;
  /** What taking the next lines needs to know of these. */
  carry?(): JsonObject;
  damaged: number;
  absurd: number;
  sealed: number;
}

/** Where to go on, and where rows go. */
export interface FileScan {
  readonly from?: ScanEnd;
  readonly table: UsageTable;
}

/**
 * Goes through the lines of an open file, or those that were added since an earlier scan. A last line
 * without its newline counts, and counts anew when the file has grown.
 */
export function scanOpen(fd: number, { from, table }: FileScan, taker: LineTaker): ScanEnd {
  const before = from?.uncounted ?? allCounted;
  let carry: JsonObject | undefined;
  let rows = table.length;
  let seen = { damaged: 0, absurd: 0, sealed: 0 };
  const keep = (): void => {
    carry = taker.carry?.();
    rows = table.length;
    const { damaged, absurd, sealed } = taker;
    seen = { damaged, absurd, sealed };
  };
  keep();
  let hasTail = false;
  const { offset, tooLong } = scanLines(fd, from?.offset ?? 0, (buffer, { complete }) => {
    if (!complete) {
      keep();
      hasTail = true;
    }
    taker.take(buffer);
  });
  // What is wrong with an unfinished line is a write in progress, or told when it is finished.
  if (!hasTail) keep();
  return {
    offset,
    tailRows: table.length - rows,
    ...(carry !== undefined && { carry }),
    facts: { ...from?.facts, ...taker.facts },
    uncounted: {
      damaged: before.damaged + seen.damaged + tooLong,
      absurd: before.absurd + seen.absurd,
      sealed: Math.max(before.sealed, seen.sealed),
      unreadable: 0,
    },
  };
}
