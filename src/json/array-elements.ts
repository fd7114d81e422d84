import type { ByteWindow } from "../base/byte-window.ts";
import { limits } from "../base/limits.ts";
import { stringEnd } from "./string-end.ts";

/** Where one element of a JSON array lies. */
export interface Element {
  readonly offset: number;
  readonly length: number;
}

/** What stands at a place of an array. */
export type Step =
  | ({ readonly kind: "element" } & Element)
  /** The array ends here; `next` is the byte after its bracket. */
  | { readonly kind: "closed"; readonly next: number }
  /** The element is not whole: the file ends in it, or it is too long to hold. */
  | { readonly kind: "cut"; readonly offset: number };

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/**
 * The place after the opening bracket of the first array found under one of the given paths (keys joined by
 * a dot, empty for the root), or undefined. Nothing is parsed and nothing is held.
 */
export function findArray(
  window: ByteWindow,
  options: { readonly from: number; readonly paths: readonly string[] },
): number | undefined {
  const keys: string[] = [];
  let depth = 0;
  let lastString = "";
  let position = options.from;
  while (position < window.end) {
    const bytes = window.from(position);
    if (bytes.length === 0) return undefined;
    const byte = bytes[0]!;
    if (byte === quote) {
      const next = valueEnd(window, position);
      if (next === undefined) return undefined;
      lastString =
        next - position > 66 ? "" : window.range(position + 1, next - position - 2).toString();
      position = next;
      continue;
    }
    if (byte === colon) keys[depth - 1] = lastString;
    else if (byte === openBrace) {
      depth += 1;
      if (depth > 3) return undefined;
    } else if (byte === openBracket) {
      if (options.paths.includes(keys.slice(0, depth).join("."))) return position + 1;
      const next = valueEnd(window, position);
      if (next === undefined) return undefined;
      position = next;
      continue;
    } else if (byte === closeBrace) {
      depth -= 1;
      keys.length = Math.max(0, depth);
      if (depth <= 0) return undefined;
    }
    position += 1;
  }
  return undefined;
}

/** What stands in an array from a position on: an element, the end, or something cut. */
export function nextElement(window: ByteWindow, from: number): Step {
  let position = from;
  for (;;) {
    const bytes = window.from(position);
    if (bytes.length === 0) return { kind: "cut", offset: position };
    const byte = bytes[0]!;
    if (isSpace(byte) || byte === comma) {
      position += 1;
      continue;
    }
    if (byte === closeBracket) return { kind: "closed", next: position + 1 };
    const end = valueEnd(window, position);
    // A closing brace where an element should begin is not an element, and no step forward.
    if (end === undefined || end === position) return { kind: "cut", offset: position };
    return { kind: "element", offset: position, length: end - position };
  }
}

/** The byte after the value that begins at a position, by brackets outside strings; undefined if it never ends. */
function valueEnd(window: ByteWindow, from: number): number | undefined {
  let depth = 0;
  let inString = false;
  let position = from;
  while (position < window.end) {
    if (position - from > limits.foreignLineBytes) return undefined;
    const bytes = window.from(position);
    if (bytes.length === 0) return undefined;
    let index = 0;
    while (index < bytes.length) {
      const byte = bytes[index]!;
      if (inString) {
        index = stringEnd(bytes, index);
        if (index >= bytes.length) break;
        inString = false;
        if (depth === 0) return position + index + 1;
      } else if (byte === quote) inString = true;
      else if (byte === openBrace || byte === openBracket) depth += 1;
      else if (byte === closeBrace || byte === closeBracket) {
        depth -= 1;
        if (depth === 0) return position + index + 1;
        if (depth < 0) return position + index;
      } else if (depth === 0 && (byte === comma || isSpace(byte)) && position + index > from) {
        return position + index;
      }
      index += 1;
    }
    position += index;
  }
  return undefined;
}

/** Where the next element begins after a damaged one: an object whose first bytes have the given shape. */
export function resync(
  window: ByteWindow,
  options: { readonly from: number; readonly shape: RegExp },
): number | undefined {
  let position = options.from;
  while (position < window.end) {
    const bytes = window.from(position);
    if (bytes.length === 0) return undefined;
    const at = bytes.indexOf(openBrace);
    if (at < 0) {
      position += bytes.length;
      continue;
    }
    const start = position + at;
    if (options.shape.test(window.range(start, 300).toString("latin1"))) return start;
    position = start + 1;
  }
  return undefined;
}
