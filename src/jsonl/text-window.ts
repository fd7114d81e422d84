import { readSync } from "node:fs";
import { type JsonObject, parseObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { stringEnd } from "../json/string-end.ts";

/*
 * Parts of files as text in which every byte is one character: an index is a byte offset, a search is a
 * byte test, and only what is wanted is decoded. A quote inside a JSON string is escaped, so a key with
 * its closing quote and colon is found only where it is a key.
 */

// One buffer for all windows: a list of a thousand sessions allocates nothing for reading.
const buffer = Buffer.allocUnsafeSlow(limits.chunkBytes);

/** Some bytes of an open file as text, as far as it goes. */
export function windowText(
  fd: number,
  range: { readonly at: number; readonly bytes: number },
): string {
  const into = range.bytes <= buffer.length ? buffer : Buffer.allocUnsafe(range.bytes);
  const taken = readSync(fd, into, 0, range.bytes, range.at);
  return into.toString("latin1", 0, taken);
}

/** The same as bytes, valid until the next window is read: for what is mostly skipped. */
export function windowBytes(
  fd: number,
  range: { readonly at: number; readonly bytes: number },
): Buffer {
  const into = range.bytes <= buffer.length ? buffer : Buffer.allocUnsafe(range.bytes);
  return into.subarray(0, readSync(fd, into, 0, range.bytes, range.at));
}

/** A line of a window, its bytes as characters; `whole` where both its ends are in the window. */
export interface WindowLine {
  readonly text: string;
  readonly whole: boolean;
}

/** The lines of a window from its start. The last one is whole only if the window reaches the file's end. */
export function* linesOf(text: string, toEnd: boolean): Generator<WindowLine> {
  let start = 0;
  while (start < text.length) {
    const at = text.indexOf("\n", start);
    const end = at < 0 ? text.length : at;
    yield { text: text.slice(start, end), whole: at >= 0 || toEnd };
    start = end + 1;
  }
}

/** Where the lines of a window begin. Found forwards, because searching a text backwards is far slower. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

const isAscii = /^[\x00-\x7f]*$/;

/** The text that bytes-as-characters stand for. */
export function utf8(bytes: string): string {
  return isAscii.test(bytes) ? bytes : Buffer.from(bytes, "latin1").toString("utf8");
}

const scratch = Buffer.allocUnsafeSlow(8 * 1024);

/** A copy of ASCII that does not keep the window alive which it was cut out of. */
function copied(ascii: string): string {
  // Shorter ones were copied when they were cut out; longer ones are rare.
  if (ascii.length < 13 || ascii.length > scratch.length) return ascii;
  return scratch.toString("latin1", 0, scratch.write(ascii, "latin1"));
}

// Few values repeat in most sessions: projects, branches, models, versions.
const known = new Map<string, string>();

/** The text, kept once for all sessions that have it. */
export function shared(text: string): string {
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= limits.rememberedValues) known.clear();
  known.set(text, text);
  return text;
}

/** The record of a line of a window. */
export function recordOf(line: string): JsonObject | undefined {
  return parseObject(utf8(line));
}

/** The first string in a range whose key, with what follows it, is the token: `cwd":"`. */
export function stringAfter(
  text: string,
  token: string,
  range: { readonly from?: number; readonly before?: number; readonly most?: number } = {},
): string | undefined {
  const at = text.indexOf(token, range.from);
  if (at < 0 || at >= (range.before ?? text.length)) return undefined;
  return stringAt(text, at + token.length, range.most);
}

/** The JSON string whose first character stands at an index, to its end or as far as the window goes. */
export function stringAt(text: string, from: number, most = 4096): string {
  const limit = Math.min(text.length, from + most);
  let end = text.indexOf('"', from);
  if (end < 0 || end > limit) end = limit;
  const plain = text.slice(from, end);
  if (!plain.includes("\\")) return isAscii.test(plain) ? copied(plain) : utf8(plain);
  end = stringEnd(text, from, limit);
  const raw = text.slice(from, Math.min(end, limit));
  const whole = utf8(end < limit ? raw : withoutCutEscape(raw));
  try {
    return JSON.parse(`"${whole}"`) as string;
  } catch {
    return whole;
  }
}

/** Cut off in the middle of an escape: its rest is not there. */
function withoutCutEscape(raw: string): string {
  const at = raw.lastIndexOf("\\");
  if (at < raw.length - 5 || !/^\\(?:u[0-9a-fA-F]{0,3})?$/.test(raw.slice(at))) return raw;
  let slashes = 0;
  while (raw[at - 1 - slashes] === "\\") slashes += 1;
  return slashes % 2 === 0 ? raw.slice(0, at) : raw;
}

const timeShape = /^\d{4}-\d\d-\d\dT[\d:.]{5,20}Z$/;

/** The text if it is a time as programs write it, in UTC. */
export function timeIn(text: string | undefined): string | undefined {
  return text !== undefined && timeShape.test(text) ? text : undefined;
}
