import { limits } from "../../../base/limits.ts";
import { linesBackward } from "../../../jsonl/read-backward.ts";
import { readLine } from "../../../jsonl/records.ts";
import { lineStarts } from "../../../jsonl/text-window.ts";
import { acceptsRecord, isHeader } from "../record-types.ts";
import { type HeadFacts, note, recordsIn } from "./facts.ts";

const nameToken = '"type":"session_info"';

/** What the last lines tell; `text` is the window that was read of them. */
export function readEnd(
  fd: number,
  window: { readonly text: string; readonly size: number },
): HeadFacts {
  const { text, size } = window;
  return endOf(text, { toStart: text.length >= size }) ?? longEnd(fd, size);
}

/** The same, parsed only as far as it is asked; undefined if the last lines are cut off. */
function endOf(text: string, options: { readonly toStart: boolean }): HeadFacts | undefined {
  const facts: HeadFacts = {};
  const starts = lineStarts(text);
  const named = text.includes(nameToken);
  let stop = text.length;
  for (let at = starts.length - 1; at >= 0; at -= 1) {
    const from = starts[at]!;
    const line = text.slice(from, stop);
    stop = from;
    const known = facts.state !== undefined && facts.model !== undefined;
    if (known && !named) break;
    if (known && !line.includes(nameToken)) continue;
    if (at === 0 && !options.toStart) break;
    for (const record of recordsIn(line).records.toReversed()) {
      if (!isHeader(record)) note(facts, record, { newest: false });
    }
  }
  return facts.state !== undefined || options.toStart ? facts : undefined;
}

/** The same of an end whose last lines are long. */
function longEnd(fd: number, size: number): HeadFacts {
  const facts: HeadFacts = {};
  let seenBytes = 0;
  for (const line of linesBackward(fd, { end: size, maxLineBytes: limits.headBytesMax })) {
    const records = readLine(line, 0, acceptsRecord)?.records ?? [];
    for (const record of records.toReversed()) {
      if (!isHeader(record)) note(facts, record, { newest: false });
    }
    seenBytes += line.length;
    if (seenBytes > limits.tailBytes && facts.updatedAt !== undefined) break;
    if (seenBytes > limits.headBytesMax) break;
  }
  return facts;
}
