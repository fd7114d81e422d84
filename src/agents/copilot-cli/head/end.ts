import { limits } from "../../../base/limits.ts";
import { linesBackward } from "../../../jsonl/read-backward.ts";
import { readLine } from "../../../jsonl/records.ts";
import { lineStarts } from "../../../jsonl/text-window.ts";
import { acceptsRecord } from "../record-types.ts";
import { type HeadFacts, noteLate, recordsIn } from "./facts.ts";

/** What the last lines tell; `text` is the window that was read of them. */
export function readEnd(
  fd: number,
  window: { readonly text: string; readonly size: number },
): HeadFacts {
  const { text, size } = window;
  return endOf(text, { toStart: text.length >= size }) ?? longEnd(fd, size);
}

/** The same, parsed only as far as it is asked; undefined where the window does not tell. */
function endOf(text: string, options: { readonly toStart: boolean }): HeadFacts | undefined {
  const facts: HeadFacts = {};
  const starts = lineStarts(text);
  let stop = text.length;
  // A line that the window cuts is not looked at.
  for (let at = starts.length - 1; at >= (options.toStart ? 0 : 1); at -= 1) {
    const from = starts[at]!;
    const records = recordsIn(text.slice(from, stop));
    stop = from;
    if (records.toReversed().some((record) => noteLate(facts, record))) return facts;
  }
  return options.toStart ? facts : undefined;
}

/** The same of an end whose last lines are long. */
function longEnd(fd: number, size: number): HeadFacts {
  const facts: HeadFacts = {};
  for (const line of linesBackward(fd, { end: size, maxLineBytes: limits.headBytesMax })) {
    const records = readLine(line, 0, acceptsRecord)?.records ?? [];
    if (records.toReversed().some((record) => noteLate(facts, record))) break;
    if (size - line.offset > limits.headBytesMax) break;
  }
  return facts;
}
