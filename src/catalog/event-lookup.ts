import { closeSync, openSync, readSync } from "node:fs";
import type { Agent, SessionRef } from "../agents/contract.ts";
import { parseObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { newline } from "../jsonl/line.ts";
import { eventText, leaves } from "./event-text.ts";
import type { FindIn } from "./snippet.ts";

/**
 * The texts of some events of a session, by number. Where its file is lines of JSON, the line that a number
 * names is taken alone, and believed only if what was looked for is in it; everything else is read by the
 * agent's reader. What can no longer be read is left out.
 */
export async function textsOf(
  ref: SessionRef,
  numbers: readonly string[],
  options: { readonly find: FindIn; agent(name: string): Promise<Agent | undefined> },
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (ref.path.endsWith(".jsonl")) {
    for (const [number, text] of fromLines(ref.path, numbers, options.find))
      found.set(number, text);
  }
  const missing = new Set(numbers.filter((number) => !found.has(number)));
  if (missing.size === 0) return found;
  const agent = await options.agent(ref.agent);
  if (agent === undefined) return found;
  try {
    for await (const batch of agent.read(ref, { allBranches: true })) {
      for (const { number, body } of batch.events) {
        if (!missing.delete(number)) continue;
        const text = eventText(body)?.text;
        if (text !== undefined) found.set(number, text);
      }
      if (missing.size === 0) break;
    }
  } catch {
    // What was found so far is shown.
  }
  return found;
}

const numberShape = /^(b?)(\d{1,15})(?:\.\d{1,6})?$/;

function* fromLines(
  path: string,
  numbers: readonly string[],
  find: FindIn,
): Generator<[string, string]> {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return;
  }
  try {
    const lines = new LineFinder(fd);
    const places = numbers
      .map((number) => ({ number, parts: numberShape.exec(number) }))
      .filter(({ parts }) => parts !== null)
      .map(({ number, parts }) => ({
        number,
        isOffset: parts![1] === "b",
        value: Number(parts![2]),
      }))
      .sort((a, b) => a.value - b.value);
    for (const { number, isOffset, value } of places) {
      const line = isOffset ? lines.at(value) : lines.line(value);
      const text = line === undefined ? undefined : matching(line, find);
      if (text !== undefined) yield [number, text];
    }
  } finally {
    closeSync(fd);
  }
}

/** The string of a record that has what was looked for. */
function matching(line: string, find: FindIn): string | undefined {
  const record = parseObject(line);
  if (record === undefined) return undefined;
  for (const text of stringsIn(record, 0)) if (find(text).length > 0) return text;
  // A phrase may go on from one string of a tool call to the next.
  const whole = leaves(record);
  return find(whole).length > 0 ? whole : undefined;
}

function* stringsIn(value: unknown, depth: number): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null && depth < limits.depth) {
    for (const inner of Object.values(value)) yield* stringsIn(inner, depth + 1);
  }
}

/** Finds lines of an open file by number, going forward only. */
class LineFinder {
  readonly #fd: number;
  readonly #buffer = Buffer.allocUnsafe(limits.chunkBytes);
  /** The number of the line that begins at `#offset`. */
  #number = 1;
  #offset = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** The line with a number; undefined where the file ends before it, or it is too long to hold. */
  line(number: number): string | undefined {
    if (number < this.#number) return undefined;
    let at = this.#offset;
    while (this.#number < number) {
      const taken = readSync(this.#fd, this.#buffer, 0, this.#buffer.length, at);
      if (taken === 0) return undefined;
      const read = this.#buffer.subarray(0, taken);
      let next = 0;
      while (this.#number < number) {
        const end = read.indexOf(newline, next);
        if (end < 0) break;
        next = end + 1;
        this.#number += 1;
        this.#offset = at + next;
      }
      at = this.#number < number ? at + taken : this.#offset;
    }
    return this.at(this.#offset);
  }

  /** The line that begins at an offset. */
  at(offset: number): string | undefined {
    const pieces: Buffer[] = [];
    let bytes = 0;
    for (;;) {
      const piece = Buffer.allocUnsafe(limits.chunkBytes);
      const taken = readSync(this.#fd, piece, 0, piece.length, offset + bytes);
      const end = piece.subarray(0, taken).indexOf(newline);
      pieces.push(piece.subarray(0, end < 0 ? taken : end));
      bytes += taken;
      if (end >= 0 || taken === 0) return Buffer.concat(pieces).toString("utf8");
      if (bytes > limits.lineBytes) return undefined;
    }
  }
}
