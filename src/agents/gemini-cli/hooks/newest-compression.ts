import { fstatSync, readSync } from "node:fs";
import { fingerprint } from "../../../base/fingerprint.ts";
import { limits } from "../../../base/limits.ts";
import { readOpen } from "../../../base/open-file.ts";
import { rewriteBegin } from "../read/message-rewrite.ts";

/** What the program lets the model say to a summary. */
export const thanks = '"Got it. Thanks for the additional context!"';
const content = '"content":';
/** The summary stands at the beginning of its line, and what it begins with and its length tell it. */
const beginBytes = 256 * 1024;
const markChars = 4096;

/**
 * What says the newest compression in a transcript from the one before; undefined if the bytes from
 * `fromByte` on hold none. The program announces no finished compression: it writes the shortened conversation
 * down as a line of its own. A resume writes the same line once more, so the summary itself is what counts.
 */
export function compressionIn(
  transcript: string,
  fromByte: number,
): { readonly compaction?: string; readonly bytes: number } | undefined {
  const look = (fd: number): { readonly compaction?: string; readonly bytes: number } => {
    const { size } = fstatSync(fd);
    // A file that became shorter is another one.
    const known = fromByte <= size ? fromByte : 0;
    const from = Math.max(known, size - limits.usageTailBytes);
    const bytes = Buffer.allocUnsafe(size - from);
    const compaction = newestIn(bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from)));
    return { bytes: size, ...(compaction !== undefined && { compaction }) };
  };
  return readOpen(transcript, look, undefined);
}

function newestIn(bytes: Buffer): string | undefined {
  for (let end = bytes.length; end > 0; ) {
    const begin = bytes.lastIndexOf(rewriteBegin, end - 1);
    if (begin < 0) return undefined;
    const lineEnd = bytes.indexOf(10, begin);
    const line = bytes.subarray(begin, Math.min(lineEnd < 0 ? end : lineEnd, begin + beginBytes));
    const thanked = line.indexOf(thanks);
    if (thanked >= 0) return summaryMark(line.toString("utf8", 0, thanked));
    end = begin;
  }
  return undefined;
}

/** The summary is the content of the message before the thanks; ids and times around it may change. */
function summaryMark(text: string): string | undefined {
  const summary = text.split(content).at(-2)?.split('},{"id":')[0];
  return summary === undefined
    ? undefined
    : fingerprint(`${summary.length} ${summary.slice(0, markChars)}`);
}
