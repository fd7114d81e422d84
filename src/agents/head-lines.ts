import type { JsonObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { parseLine } from "../jsonl/parse-line.ts";
import { linesBackward } from "../jsonl/read-backward.ts";
import { readLine } from "../jsonl/records.ts";
import type { Accepts } from "../jsonl/salvage.ts";
import { lineStarts, linesOf, recordOf, windowText } from "../jsonl/text-window.ts";

/** How the head of a session in lines is made of its records. */
export interface HeadNotes<Facts> {
  /** Whether an object in a damaged line is a record of its own. */
  readonly accepts: Accepts;
  /** Notes what a record near the start says; true once there is nothing more to learn. */
  noteEarly(facts: Facts, record: JsonObject): boolean;
  /** Notes what a record near the end says, the later ones first; true once there is nothing more to learn. */
  noteLate(facts: Facts, record: JsonObject): boolean;
}

/** What both ends of a file of lines tell: only its first and last few KB are read, unless its lines are longer. */
export function factsOfEnds<Facts extends object>(
  fd: number,
  size: number,
  notes: HeadNotes<Facts>,
): { readonly first: Facts; readonly last: Facts } {
  const isSmall = size <= limits.headBytes + limits.tailBytes;
  const start = windowText(fd, { at: 0, bytes: isSmall ? size : limits.headBytes });
  const first = factsOfStart(fd, { text: start, size }, notes);
  const end = isSmall
    ? start
    : windowText(fd, { at: size - limits.tailBytes, bytes: limits.tailBytes });
  const last = factsInEnd(end, { toStart: isSmall }, notes) ?? factsOfLongEnd(fd, size, notes);
  return { first, last };
}

/** The records of a line of a window, as a reader of the file would find them. */
export function recordsInLine(line: string, accepts: Accepts): readonly JsonObject[] {
  if (line.trim() === "") return [];
  const record = recordOf(line);
  return record === undefined ? parseLine(Buffer.from(line, "latin1"), accepts).records : [record];
}

function factsOfStart<Facts extends object>(
  fd: number,
  { text, size }: { readonly text: string; readonly size: number },
  notes: HeadNotes<Facts>,
): Facts {
  const most = Math.min(size, limits.headBytesMax);
  for (let window = text; ; ) {
    const facts = {} as Facts;
    const isDone = notesStart(facts, { text: window, toEnd: window.length >= size }, notes);
    // What is wanted may lie behind long instructions, or in a long line: look further, but not far.
    if (isDone || window.length >= most) return facts;
    const longer = windowText(fd, { at: 0, bytes: Math.min(window.length * 16, most) });
    if (longer.length <= window.length) return facts;
    window = longer;
  }
}

function notesStart<Facts>(
  facts: Facts,
  { text, toEnd }: { readonly text: string; readonly toEnd: boolean },
  { accepts, noteEarly }: HeadNotes<Facts>,
): boolean {
  for (const line of linesOf(text, toEnd)) {
    if (!line.whole) return false;
    if (recordsInLine(line.text, accepts).some((record) => noteEarly(facts, record))) return true;
  }
  return false;
}

/** What a window of last lines says, parsed only as far as it is asked; undefined if it does not tell. */
function factsInEnd<Facts extends object>(
  text: string,
  { toStart }: { readonly toStart: boolean },
  { accepts, noteLate }: HeadNotes<Facts>,
): Facts | undefined {
  const facts = {} as Facts;
  const starts = lineStarts(text);
  let stop = text.length;
  // A line that the window cuts is not looked at.
  for (let at = starts.length - 1; at >= (toStart ? 0 : 1); at -= 1) {
    const from = starts[at]!;
    const records = recordsInLine(text.slice(from, stop), accepts);
    stop = from;
    if (records.toReversed().some((record) => noteLate(facts, record))) return facts;
  }
  return toStart ? facts : undefined;
}

/** The same of an end whose last lines are long. */
function factsOfLongEnd<Facts extends object>(
  fd: number,
  size: number,
  { accepts, noteLate }: HeadNotes<Facts>,
): Facts {
  const facts = {} as Facts;
  for (const line of linesBackward(fd, { end: size, maxLineBytes: limits.headBytesMax })) {
    const records = readLine(line, 0, accepts)?.records ?? [];
    if (records.toReversed().some((record) => noteLate(facts, record))) break;
    if (size - line.offset > limits.headBytesMax) break;
  }
  return facts;
}
