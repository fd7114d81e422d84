import { isUtf8 } from "node:buffer";
import {
  backslash,
  escapesIn,
  firstPrintable,
  letterOf,
  littleEndian,
  quote,
  wordsOf,
} from "../base/escaped-bytes.ts";
import { isObject, type JsonObject } from "../base/json.ts";
import { holdText, JsonText } from "../base/json-text.ts";
import { limits } from "../base/limits.ts";

const colon = 0x3a;

/** Stands for a text while the rest of a line is parsed; no file can know it. */
const mark = `text ${Math.random()} `;

/**
 * Parses a line of JSON but for its long texts: these stay the bytes they are until somebody reads them.
 * Undefined where nothing is gained by that, or where the line is not one sound object.
 */
export function parseLazily(line: Buffer): JsonObject | undefined {
  if (line.length <= limits.lazyTextBytes || !littleEndian) return undefined;
  const memory = memoryOf(line);
  const begin = line.byteOffset;
  const end = begin + line.length;
  const texts: JsonText[] = [];
  let rest = "";
  let done = 0;
  for (let at = begin; at < end; ) {
    if (memory.bytes[at] !== quote) {
      at += 1;
      continue;
    }
    const close = stringEnd(memory, at + 1, end);
    if (close === 0) return undefined;
    const after = Math.abs(close);
    const isKey = memory.bytes[after + 1] === colon;
    if (close > 0 && after - at > limits.lazyTextBytes && !isKey) {
      const from = at - begin;
      rest += `${line.toString("utf8", done, from)}"${mark}${texts.length}"`;
      texts.push(new JsonText(line.toString("latin1", from + 1, after - begin)));
      done = after - begin + 1;
    }
    at = after + 1;
  }
  if (texts.length === 0 || !isUtf8(line)) return undefined;
  rest += line.toString("utf8", done);
  try {
    const value: unknown = JSON.parse(rest);
    return isObject(value) && put(texts, value, 0) === texts.length ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Puts texts where their marks stand; returns how many. */
function put(texts: readonly JsonText[], into: JsonObject, depth: number): number {
  let count = 0;
  for (const key of Object.keys(into)) {
    const value = into[key];
    if (typeof value === "string") {
      if (!value.startsWith(mark)) continue;
      holdText(into, key, texts[Number(value.slice(mark.length))]!);
      count += 1;
    } else if (typeof value === "object" && value !== null && depth < limits.depth) {
      count += put(texts, value as JsonObject, depth + 1);
    }
    if (count === texts.length) break;
  }
  return count;
}

interface Memory {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
}

let newest: Memory = { bytes: new Uint8Array(0), words: new Int32Array(0) };

/** All of the memory a line lies in: lines come from one buffer, one after the other. */
function memoryOf(line: Buffer): Memory {
  if (newest.bytes.buffer === line.buffer) return newest;
  const bytes = new Uint8Array(line.buffer);
  const memory = { bytes, words: wordsOf(bytes) };
  // The room of one very long line is not kept.
  if (bytes.length <= limits.keptBufferBytes) newest = memory;
  return memory;
}

/**
 * Where the string ends that begins at an index: negative where its escapes are not those JSON.stringify
 * makes, 0 where it is no string.
 */
function stringEnd({ bytes, words }: Memory, from: number, end: number): number {
  let usual = true;
  for (let at = from; at < end; ) {
    let word = at >> 2;
    // Bytes of the same word that lie before were looked at.
    let found = escapesIn(words[word]!) & (-1 << ((at & 3) << 3));
    while (found === 0 && word < words.length) {
      word += 1;
      found = escapesIn(words[word]!);
    }
    // Behind the last whole word every byte is looked at.
    if (word < words.length) at = (word << 2) + ((31 - Math.clz32(found & -found)) >> 3);
    else at = Math.max(at, words.length << 2);
    const byte = bytes[at]!;
    if (byte === quote) return at >= end ? 0 : usual ? at : -at;
    if (byte < firstPrintable) return 0;
    if (byte !== backslash) at += 1;
    else {
      usual &&= isShort[bytes[at + 1]!] === 1 || isControl(bytes, at + 1);
      at += 2;
    }
  }
  return 0;
}

/** Bytes that may follow a backslash alone. */
const isShort = new Uint8Array(256);
for (const letter of '"\\bfnrt') isShort[letter.charCodeAt(0)] = 1;

/** Whether `u00…` is how JSON.stringify names a control character. */
function isControl(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== 0x75 || bytes[at + 1] !== 0x30 || bytes[at + 2] !== 0x30) return false;
  const high = lowerHex(bytes[at + 3]!);
  const low = lowerHex(bytes[at + 4]!);
  return (high === 0 || high === 1) && low >= 0 && letterOf(high * 16 + low) === 0;
}

/** What a hexadecimal digit stands for, or -1; capitals are none here. */
function lowerHex(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  return byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : -1;
}
