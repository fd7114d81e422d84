import { linesBackward } from "../../../jsonl/read-backward.ts";
import { readLine } from "../../../jsonl/records.ts";
import { acceptsRecord, isCut, mayCut } from "../record-types.ts";

/**
 * Where what the program replays begins: at the newest summary or clearing of the context in [from, end), undefined
 * where there is none. Nothing else changes what is live.
 */
export function newestCut(
  fd: number,
  part: { readonly from: number; readonly end: number },
): number | undefined {
  if (part.from >= part.end) return undefined;
  for (const line of linesBackward(fd, { end: part.end })) {
    if (line.offset < part.from) return undefined;
    if (line.tooLong || !mayCut(line.bytes)) continue;
    const records = readLine(line, 0, acceptsRecord)?.records ?? [];
    if (records.some(isCut)) return line.offset;
  }
  return undefined;
}
