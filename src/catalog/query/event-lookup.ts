import { closeSync, readSync } from "node:fs";
import type { Agent, SessionRef } from "../../agents/contract.ts";
import { parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { openForReading } from "../../base/open-file.ts";
import { newline } from "../../jsonl/line.ts";
import { eventText, leaves } from "../index/event-text.ts";
import { AnsweredCalls } from "./answered-calls.ts";
import type { FindIn } from "./snippet.ts";

/** What an event says. */
export interface LookedUp {
  readonly text: string;
  /** The call it answers, where that was asked for. */
  readonly call?: string;
}

/** How events are looked up. */
export interface LookUp {
  readonly find: FindIn;
  /** Results whose calls are wanted too: only the reader knows which belong together. */
  readonly answers?: ReadonlySet<string>;
  agent(name: string): Promise<Agent | undefined>;
}

/**
 * The texts of some events of a session, by number. Where its file is lines of JSON, the line that a number
 * names is taken alone, and believed only if what was looked for is in it; everything else is read by the
 * agent's reader. What can no longer be read is left out.
 */
export async function textsOf(
  ref: SessionRef,
  numbers: readonly string[],
  options: LookUp,
): Promise<ReadonlyMap<string, LookedUp>> {
  const found = new Map<string, LookedUp>();
  if (ref.path.endsWith(".jsonl")) {
    const alone = numbers.filter((number) => options.answers?.has(number) !== true);
    for (const [number, text] of fromLines(ref.path, alone, options.find))
      found.set(number, { text });
  }
  const missing = new Set(numbers.filter((number) => !found.has(number)));
  if (missing.size === 0) return found;
  const agent = await options.agent(ref.agent);
  if (agent === undefined) return found;
  const calls = options.answers === undefined ? undefined : new AnsweredCalls(agent.tools);
  try {
    for await (const batch of agent.read(ref, { allBranches: true })) {
      for (const { number, body } of batch.events) {
        const call = calls?.callOf(body);
        if (!missing.delete(number)) continue;
        const text = eventText(body)?.text;
        if (text !== undefined) found.set(number, { text, ...(call !== undefined && { call }) });
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
    fd = openForReading(path);
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

/** The string of a record that has most of what was looked for, of equal ones the longest: folders and names are short. */
function matching(line: string, find: FindIn): string | undefined {
  const record = parseObject(line);
  if (record === undefined) return undefined;
  let best: { readonly text: string; readonly count: number } | undefined;
  for (const text of stringsIn(record, 0)) {
    const count = new Set(find(text).map(([, , which]) => which)).size;
    if (count === 0 || count < (best?.count ?? 0)) continue;
    if (count === best?.count && text.length <= best.text.length) continue;
    best = { text, count };
  }
  if (best !== undefined) return best.text;
  // A phrase may go on from one string of a tool call to the next.
  const whole = leaves(record);
  return find(whole).length > 0 ? whole : undefined;
}

/** The strings of a value; those of the JSON that a string holds, as the arguments of many tool calls do. */
function* stringsIn(value: unknown, depth: number): Generator<string> {
  if (typeof value === "string") {
    const inner = value.startsWith("{") ? parseObject(value) : undefined;
    if (inner === undefined) yield value;
    else yield* stringsIn(inner, depth + 1);
  } else if (typeof value === "object" && value !== null && depth < limits.depth) {
    for (const inner of Object.values(value)) yield* stringsIn(inner, depth + 1);
  }
}

const chunk = Buffer.allocUnsafeSlow(limits.chunkBytes);

/** Finds lines of an open file by number, going forward only; one at a time, for they share their buffer. */
class LineFinder {
  readonly #fd: number;
  /** What was read last, and where in the file it lies. */
  #piece: Buffer = chunk.subarray(0, 0);
  #from = 0;
  /** The number of the line that begins at `#offset`. */
  #number = 1;
  #offset = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** The line with a number; undefined if the file ends before it, or it is too long to hold. */
  line(number: number): string | undefined {
    if (number < this.#number) return undefined;
    let at = this.#offset;
    while (this.#number < number) {
      if (!this.#reach(at)) return undefined;
      const end = this.#piece.indexOf(newline, at - this.#from);
      at = this.#from + (end < 0 ? this.#piece.length : end + 1);
      if (end < 0) continue;
      this.#number += 1;
      this.#offset = at;
    }
    return this.at(this.#offset);
  }

  /** The line that begins at an offset. */
  at(offset: number): string | undefined {
    const pieces: Buffer[] = [];
    for (let at = offset; at - offset <= limits.lineBytes; at = this.#from + this.#piece.length) {
      const begin = this.#reach(at) ? at - this.#from : this.#piece.length;
      const end = this.#piece.indexOf(newline, begin);
      const isWhole = end >= 0 || begin === this.#piece.length;
      const rest = this.#piece.subarray(begin, end < 0 ? undefined : end);
      if (isWhole && pieces.length === 0) return rest.toString("utf8");
      // The next piece takes its place.
      pieces.push(Buffer.from(rest));
      if (isWhole) return Buffer.concat(pieces).toString("utf8");
    }
    return undefined;
  }

  /** Reads the piece a place lies in, unless it is at hand; false at the end of the file. */
  #reach(at: number): boolean {
    if (at >= this.#from && at < this.#from + this.#piece.length) return true;
    this.#piece = chunk.subarray(0, readSync(this.#fd, chunk, 0, chunk.length, at));
    this.#from = at;
    return this.#piece.length > 0;
  }
}
