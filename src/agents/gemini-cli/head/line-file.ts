import { ByteWindow } from "../../../base/byte-window.ts";
import { asArray, isObject, type JsonObject, parseObjectBytes } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { findArray, nextElement } from "../../../json/array-elements.ts";
import { linesBackward } from "../../../jsonl/read-backward.ts";
import { lineStarts, linesOf, recordOf, windowText } from "../../../jsonl/text-window.ts";
import { kindOf } from "../record-types.ts";
import { HeadFacts } from "./facts.ts";

/** The title may stand a little before the end: it is set when the next session starts. */
const tailLook = limits.tailBytes * 2;

/** Looks at the first and the last lines of a session; gives its header, and whether all of it was seen. */
export function factsOfLines(
  fd: number,
  options: { readonly size: number; readonly facts: HeadFacts },
): { readonly header: JsonObject | undefined; readonly seenAll: boolean } {
  const { size, facts } = options;
  const small = size <= limits.headBytes + tailLook;
  let bytes = small ? size : limits.headBytes;
  const text = windowText(fd, { at: 0, bytes });
  const tail = small ? text : windowText(fd, { at: size - tailLook, bytes: tailLook });
  const most = Math.min(size, limits.headBytesMax);
  let start = lookAtStart(fd, { text, size, facts });
  // The program puts a listing of the project first; a large one hides the prompt behind it.
  while (!start.found && bytes < most) {
    bytes = Math.min(bytes * 8, most);
    start = lookAtStart(fd, { text: windowText(fd, { at: 0, bytes }), size, facts });
  }
  if (!lookAtTail(tail, { toStart: small, facts })) lookAtEnd(fd, options);
  return { header: start.header, seenAll: size <= limits.headBytesMax };
}

/** The header of a session that is reported to be one by its first lines; undefined where more must be looked at. */
export function headerOfSession(fd: number, size: number): JsonObject | undefined {
  const text = windowText(fd, { at: 0, bytes: Math.min(size, limits.headBytes) });
  const { header, found } = lookAtStart(fd, { text, size, facts: new HeadFacts() });
  return found ? header : undefined;
}

function lookAtStart(
  fd: number,
  options: { readonly text: string; readonly size: number; readonly facts: HeadFacts },
): { readonly header: JsonObject | undefined; readonly found: boolean } {
  const { text, size, facts } = options;
  let header: JsonObject | undefined;
  let offset = 0;
  for (const line of linesOf(text, text.length >= size)) {
    const from = offset;
    offset += line.text.length + 1;
    const record = line.text === "" ? undefined : recordOf(line.text);
    if (record === undefined) {
      if (!line.whole && text.length >= limits.headBytesMax && line.text.startsWith('{"$set":')) {
        return { header, found: lookIntoRewrite(fd, { offset: from, end: text.length, facts }) };
      }
      continue;
    }
    const kind = kindOf(record);
    if (kind.kind === "header") header ??= record;
    const fields = kind.kind === "set" ? kind.fields : record;
    const messages =
      kind.kind === "message" ? [record] : asArray(fields["messages"]).filter(isObject);
    if (messages.some((message) => facts.early(message))) return { header, found: true };
  }
  return { header, found: false };
}

/** Looks at the last lines, parsing only what is still asked; false where they are too long to tell. */
function lookAtTail(
  text: string,
  options: { readonly toStart: boolean; readonly facts: HeadFacts },
): boolean {
  const { facts } = options;
  const titled = text.includes('"summary":');
  const starts = lineStarts(text);
  // The last line mostly ends with a newline: nothing begins behind it.
  if (text.endsWith("\n")) starts.pop();
  let stop = text.length;
  // A line that the window cuts is not looked at.
  for (let at = starts.length - 1; at >= (options.toStart ? 0 : 1); at -= 1) {
    const known = facts.state !== undefined && facts.model !== undefined;
    if (known && (!titled || facts.summary !== undefined)) break;
    const from = starts[at]!;
    const line = text.slice(from, stop);
    stop = from;
    const record = !known || line.includes('"summary":') ? recordOf(line) : undefined;
    if (record !== undefined) lookAtRecord(record, facts);
  }
  return facts.state !== undefined || options.toStart;
}

/** The first messages of a rewritten conversation that is longer than a head may read. */
function lookIntoRewrite(
  fd: number,
  options: { readonly offset: number; readonly end: number; readonly facts: HeadFacts },
): boolean {
  const window = new ByteWindow(fd, options.end);
  let position = findArray(window, { from: options.offset, paths: ["$set.messages"] });
  while (position !== undefined) {
    const step = nextElement(window, position);
    if (step.kind !== "element") return false;
    const message = parseObjectBytes(window.range(step.offset, step.length));
    if (message !== undefined && options.facts.early(message)) return true;
    position = step.offset + step.length;
  }
  return false;
}

/** The same of an end whose last lines are long. */
function lookAtEnd(
  fd: number,
  options: { readonly size: number; readonly facts: HeadFacts },
): void {
  const { size, facts } = options;
  for (const line of linesBackward(fd, { end: size, maxLineBytes: limits.headBytesMax })) {
    if (size - line.offset > limits.headBytesMax) return;
    const record = line.tooLong ? undefined : parseObjectBytes(line.bytes);
    if (record !== undefined && lookAtRecord(record, facts)) return;
  }
}

function lookAtRecord(record: JsonObject, facts: HeadFacts): boolean {
  const kind = kindOf(record);
  if (kind.kind === "message") return facts.late(record);
  if (kind.kind !== "set") return false;
  facts.set(kind.fields);
  return asArray(kind.fields["messages"])
    .filter(isObject)
    .reverse()
    .some((message) => facts.late(message));
}
