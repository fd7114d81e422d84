import { isUtf8 } from "node:buffer";
import { isObject, type JsonObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { littleEndian, type Memory, memoryOf, stringEnd } from "../json/escaped-bytes.ts";
import { holdText, JsonText } from "../json/json-text.ts";

const quote = 0x22;
const colon = 0x3a;

/** Stands for a text while the rest of a line is parsed; no file can know it. */
const mark = `text ${Math.random()} `;

/**
 * Parses a line of JSON but for its long texts: these stay the bytes they are until somebody reads them.
 * Undefined where nothing is gained by that, or where the line is not one sound object.
 */
export function parseLazily(line: Buffer): JsonObject | undefined {
  if (line.length <= limits.lazyTextBytes || !littleEndian) return undefined;
  const memory = memoryAround(line);
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

let newest: Memory | undefined;

/** The memory a line lies in: lines come from one buffer, one after the other. */
function memoryAround(line: Buffer): Memory {
  if (newest?.bytes.buffer === line.buffer) return newest;
  const memory = memoryOf(line.buffer);
  // The room of one very long line is not kept.
  if (memory.bytes.length <= limits.keptBufferBytes) newest = memory;
  return memory;
}
