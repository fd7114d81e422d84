import { limits } from "../base/limits.ts";
import { stringEnd } from "./string-end.ts";

/** Where an object ended, or where it stopped being JSON. */
export type Scanned =
  | { readonly end: number }
  | {
      readonly end?: undefined;
      /** The first character that cannot follow; the length of the text where it only ended early. */
      readonly stoppedAt: number;
      /** The object that closed right before: a record glued in where a value was due. */
      readonly closed?: { readonly start: number; readonly end: number };
    };

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literal = /true|false|null/y;
const array = -1;

/**
 * Reads one JSON object that begins at `start` without building it, and says the exact place where
 * it stops being one: that place is where a torn record meets the next.
 */
export function scanObject(text: string, start: number): Scanned {
  let index = skipBlanks(text, start + 1);
  const first = text.charCodeAt(index);
  if (first !== 0x22 && first !== 0x7d) return { stoppedAt: Math.min(index, text.length) };
  // Starts of the open objects; an array is only marked.
  const open: number[] = [start];
  let closed: { readonly start: number; readonly end: number } | undefined;
  // What may come: a key (or the end of an empty object), a value (or the end of an empty array), or
  // what follows a value.
  let due: "first-key" | "key" | "first-value" | "value" | "after" = "first-key";
  const stop = (stoppedAt: number): Scanned =>
    closed === undefined ? { stoppedAt } : { stoppedAt, closed };
  while (index < text.length) {
    const code = text.charCodeAt(index);
    const inArray = open[open.length - 1] === array;
    if (due === "after") {
      if (code === 0x2c) due = inArray ? "value" : "key";
      else if (code === (inArray ? 0x5d : 0x7d)) {
        const from = open.pop()!;
        if (open.length === 0) return { end: index + 1 };
        if (from !== array) closed = { start: from, end: index + 1 };
        index = skipBlanks(text, index + 1);
        continue;
      } else return stop(index);
      index = skipBlanks(text, index + 1);
    } else if (due === "key" || due === "first-key") {
      if (code === 0x7d && due === "first-key") {
        due = "after";
        continue;
      }
      const after = code === 0x22 ? afterString(text, index) : -index - 1;
      if (after < 0) return stop(-after - 1);
      index = skipBlanks(text, after);
      if (text.charCodeAt(index) !== 0x3a) return stop(index);
      index = skipBlanks(text, index + 1);
      due = "value";
    } else if (code === 0x7b || code === 0x5b) {
      if (open.length >= limits.salvageDepth) return stop(index);
      open.push(code === 0x7b ? index : array);
      due = code === 0x7b ? "first-key" : "first-value";
      index = skipBlanks(text, index + 1);
    } else if (code === 0x5d && due === "first-value") {
      due = "after";
      continue;
    } else {
      const after = code === 0x22 ? afterString(text, index) : scalarEnd(text, index);
      if (after < 0) return stop(-after - 1);
      index = skipBlanks(text, after);
      due = "after";
    }
    closed = undefined;
  }
  return stop(text.length);
}

function skipBlanks(text: string, from: number): number {
  let index = from;
  for (;;) {
    const code = text.charCodeAt(index);
    if (code !== 0x20 && code !== 0x09 && code !== 0x0d && code !== 0x0a) return index;
    index += 1;
  }
}

/** The index after a string, or `-1 - place` where it never ends. */
function afterString(text: string, start: number): number {
  const end = stringEnd(text, start + 1);
  return end < text.length ? end + 1 : -1 - text.length;
}

function scalarEnd(text: string, start: number): number {
  const code = text.charCodeAt(start);
  const shape = code === 0x2d || (code >= 0x30 && code <= 0x39) ? number : literal;
  shape.lastIndex = start;
  return shape.test(text) ? shape.lastIndex : -1 - start;
}
