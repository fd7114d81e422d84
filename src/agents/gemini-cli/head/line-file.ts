import { ByteWindow } from "../../../base/byte-window.ts";
import { asArray, isObject, type JsonObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { findArray, nextElement } from "../../../json/array-elements.ts";
import { linesBackward } from "../../../jsonl/read-backward.ts";
import { lineStarts, linesOf, recordOf, stringAt, windowText } from "../../../jsonl/text-window.ts";
import { objectIn } from "../read/record-loader.ts";
import { kindOf } from "../record-types.ts";
import { Glance } from "./facts.ts";

/** The title may stand a little before the end: it is set when the next session starts. */
const tailLook = limits.tailBytes * 2;

/** Looks at the first and the last lines of a session; gives its header, and whether all of it was seen. */
export function glanceLines(
  fd: number,
  options: { readonly size: number; readonly glance: Glance },
): { readonly header: JsonObject | undefined; readonly seenAll: boolean } {
  const { size, glance } = options;
  const small = size <= limits.headBytes + tailLook;
  let text = windowText(fd, { at: 0, bytes: small ? size : limits.headBytes });
  const tail = small ? text : windowText(fd, { at: size - tailLook, bytes: tailLook });
  const most = Math.min(size, limits.headBytesMax);
  let start = lookAtStart(fd, { text, size, glance });
  // The program puts a listing of the project first; a large one hides the prompt behind it.
  while (!start.found && text.length < most) {
    text = windowText(fd, { at: 0, bytes: Math.min(text.length * 8, most) });
    start = lookAtStart(fd, { text, size, glance });
  }
  if (!lookAtTail(tail, { toStart: small, glance })) lookAtEnd(fd, options);
  return { header: start.header, seenAll: size <= limits.headBytesMax };
}

/** The header of a session that is told to be one by its first lines; undefined where more must be looked at. */
export function beginning(fd: number, size: number): JsonObject | undefined {
  const text = windowText(fd, { at: 0, bytes: Math.min(size, limits.headBytes) });
  const { header, found } = lookAtStart(fd, { text, size, glance: new Glance() });
  return found ? header : undefined;
}

const touch = '{"$set":{"lastUpdated":"';
const rewrite = '{"$set":{"messages":[{"id":"';
const context = '"type":"user","content":[{"text":"<session_context>';
const contextEnd = '</session_context>"}]}]';

/** Lines that tell a list nothing, by their first bytes: a time, and the context the program begins with. */
function isPassedOver(text: string): boolean {
  if (text.length < 64 && text.startsWith(touch)) return true;
  // One message, and in it nothing besides: a prompt could stand behind the context.
  if (!text.startsWith(rewrite)) return false;
  const at = text.indexOf(context);
  return at >= 0 && at < 200 && text.includes(contextEnd, at) && !text.includes('},{"');
}

function lookAtStart(
  fd: number,
  options: { readonly text: string; readonly size: number; readonly glance: Glance },
): { readonly header: JsonObject | undefined; readonly found: boolean } {
  const { text, size, glance } = options;
  let header: JsonObject | undefined;
  let offset = 0;
  for (const line of linesOf(text, text.length >= size)) {
    const from = offset;
    offset += line.text.length + 1;
    if (isPassedOver(line.text)) continue;
    const record = line.text === "" ? undefined : recordOf(line.text);
    if (record === undefined) {
      if (!line.whole && text.length >= limits.headBytesMax && line.text.startsWith('{"$set":')) {
        return { header, found: lookIntoRewrite(fd, { offset: from, end: text.length, glance }) };
      }
      continue;
    }
    const kind = kindOf(record);
    if (kind.kind === "header") header ??= record;
    const fields = kind.kind === "set" ? kind.fields : record;
    const messages =
      kind.kind === "message" ? [record] : asArray(fields["messages"]).filter(isObject);
    if (messages.some((message) => glance.early(message))) return { header, found: true };
  }
  return { header, found: false };
}

/** Looks at the last lines, parsing only what is still asked; false where they are too long to tell. */
function lookAtTail(
  text: string,
  options: { readonly toStart: boolean; readonly glance: Glance },
): boolean {
  const { glance } = options;
  const titled = text.includes('"summary":');
  const starts = lineStarts(text);
  // The last line mostly ends with a newline: nothing begins behind it.
  if (text.endsWith("\n")) starts.pop();
  let stop = text.length;
  // A line that the window cuts is not looked at.
  for (let at = starts.length - 1; at >= (options.toStart ? 0 : 1); at -= 1) {
    const known = glance.state !== undefined && glance.model !== undefined;
    if (known && (!titled || glance.summary !== undefined)) break;
    const from = starts[at]!;
    const line = text.slice(from, stop);
    stop = from;
    if (line.length < 64 && line.startsWith(touch)) {
      glance.updatedAt ??= stringAt(line, touch.length);
    } else if (!known || line.includes('"summary":')) {
      const record = recordOf(line);
      if (record !== undefined) lookAtRecord(record, glance);
    }
  }
  return glance.state !== undefined || options.toStart;
}

/** The first messages of a rewritten history that is longer than a head may read. */
function lookIntoRewrite(
  fd: number,
  options: { readonly offset: number; readonly end: number; readonly glance: Glance },
): boolean {
  const window = new ByteWindow(fd, options.end);
  let position = findArray(window, { from: options.offset, paths: ["$set.messages"] });
  while (position !== undefined) {
    const step = nextElement(window, position);
    if (step.kind !== "element") return false;
    const message = objectIn(window.range(step.offset, step.length));
    if (message !== undefined && options.glance.early(message)) return true;
    position = step.offset + step.length;
  }
  return false;
}

/** The same of an end whose last lines are long. */
function lookAtEnd(fd: number, options: { readonly size: number; readonly glance: Glance }): void {
  const { size, glance } = options;
  for (const line of linesBackward(fd, { end: size, maxLineBytes: limits.headBytesMax })) {
    if (size - line.offset > limits.headBytesMax) return;
    const record = line.tooLong ? undefined : objectIn(line.bytes);
    if (record !== undefined && lookAtRecord(record, glance)) return;
  }
}

function lookAtRecord(record: JsonObject, glance: Glance): boolean {
  const kind = kindOf(record);
  if (kind.kind === "message") return glance.late(record);
  if (kind.kind !== "set") return false;
  glance.set(kind.fields);
  return asArray(kind.fields["messages"])
    .filter(isObject)
    .reverse()
    .some((message) => glance.late(message));
}
