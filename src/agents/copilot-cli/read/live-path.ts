import { linesBackward } from "../../../jsonl/read-backward.ts";
import { readLine } from "../../../jsonl/records.ts";
import { acceptsRecord, summaryIn } from "../record-types.ts";

const token = "session.compaction_complete";

/**
 * Where what the program replays begins: at the newest summary in [from, end), undefined where there is none. Nothing
 * else changes what is live; a rewind takes lines away.
 */
export function newestSummary(
  fd: number,
  part: { readonly from: number; readonly end: number },
): number | undefined {
  if (part.from >= part.end) return undefined;
  for (const line of linesBackward(fd, { end: part.end })) {
    if (line.offset < part.from) return undefined;
    if (line.tooLong || !line.bytes.includes(token)) continue;
    const records = readLine(line, 0, acceptsRecord)?.records ?? [];
    if (records.some((record) => summaryIn(record) !== undefined)) return line.offset;
  }
  return undefined;
}
