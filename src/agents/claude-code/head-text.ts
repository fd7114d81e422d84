import { isObject, type JsonObject, parseObject } from "../../base/json.ts";

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

/** The record of a line, its bytes read as UTF-8. */
export function recordOf(line: string): JsonObject | undefined {
  const value = parseObject(utf8(line));
  return isObject(value) ? value : undefined;
}

const isAscii = /^[\x00-\x7f]*$/;

/** The text that bytes-as-characters stand for. */
export function utf8(bytes: string): string {
  if (isAscii.test(bytes)) return bytes;
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/**
 * The keys heads look for, as they stand before their string. A quote inside a string is escaped, so
 * these match keys only; without the first quote, which is everywhere, they are found faster.
 */
const tokens = {
  cwd: 'cwd":"',
  gitBranch: 'gitBranch":"',
  version: 'version":"',
  timestamp: 'timestamp":"',
  model: 'model":"',
  modelId: 'modelId":"',
  content: 'content":"',
} as const;

type Key = keyof typeof tokens;

/** The first string a key has in a text. */
export function field(text: string, key: Key): string | undefined {
  const token = tokens[key];
  const at = text.indexOf(token);
  return at < 0 ? undefined : stringAt(text, at + token.length);
}

/** The same for a key that mostly stands near the end of a long text. */
export function lateField(text: string, key: Key): string | undefined {
  return field(text.slice(-400), key) ?? field(text, key);
}

const timeShape = /^\d{4}-\d\d-\d\dT[\d:.]{5,20}Z$/;

/** The text if it is a time as the program writes it. */
export function timeIn(text: string | undefined): string | undefined {
  return text !== undefined && timeShape.test(text) ? text : undefined;
}

/** The JSON string that begins at an index, to its end or as far as the window goes. */
export function stringAt(text: string, from: number, most = 4096): string {
  const limit = Math.min(text.length, from + most);
  let end = text.indexOf('"', from);
  if (end < 0 || end > limit) end = limit;
  const plain = text.slice(from, end);
  if (!plain.includes("\\")) return utf8(plain);
  end = from;
  while (end < limit && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  const raw = text.slice(from, Math.min(end, limit));
  // Cut off in the middle of an escape: its rest is not there.
  const whole = raw.replace(/\\(?:u[0-9a-fA-F]{0,3})?$/, (cut, at: number) =>
    isEscape(raw, at) ? "" : cut,
  );
  try {
    return JSON.parse(`"${utf8(whole)}"`) as string;
  } catch {
    return utf8(whole);
  }
}

function isEscape(raw: string, at: number): boolean {
  let slashes = 0;
  while (raw[at - 1 - slashes] === "\\") slashes += 1;
  return slashes % 2 === 0;
}
