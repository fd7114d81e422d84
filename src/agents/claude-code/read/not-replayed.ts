import { asArray, asString, isObject, type JsonObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { flag } from "./record-flags.ts";
import type { RecordIndex } from "./record-index.ts";
import type { RecordReader } from "./record-reader.ts";

/** What a record loses in the replay: all of it, or the calls and results named. */
export type NotReplayed = "all" | ReadonlySet<string>;

/**
 * What lies on the path and is still not replayed: calls in the middle that nobody answered, results
 * without their call, and a trailing message that holds nothing but thinking. Unanswered calls at the
 * end stay: the program answers them itself when it resumes.
 */
export function notReplayed(
  index: RecordIndex,
  order: Int32Array,
  options: { readonly reader: RecordReader; readonly partial: boolean },
): ReadonlyMap<number, NotReplayed> {
  const { reader, partial } = options;
  const lost = new Map<number, NotReplayed>();
  const { answered, called } = paired(index, order);
  order.forEach((record, at) => {
    // Only what the ids of records do not already pair is looked at closely.
    if (index.has(record, flag.calls)) {
      if (answered[record] === 1 && !index.has(record, flag.manyCalls)) return;
      const open = openCalls(index, { order, at, reader, partial });
      if (open.size > 0) lost.set(record, open);
    } else if (index.has(record, flag.results) && called[record] === 0) {
      const stray = strayResults(index, { order, at, reader, partial });
      if (stray.size > 0) lost.set(record, stray);
    }
  });
  for (const record of trailingThinking(index, order, reader)) lost.set(record, "all");
  return lost;
}

interface Spot {
  readonly order: Int32Array;
  readonly at: number;
  readonly reader: RecordReader;
  /** What came before is not indexed: a call may stand there. */
  readonly partial: boolean;
}

function paired(
  index: RecordIndex,
  order: Int32Array,
): { readonly answered: Uint8Array; readonly called: Uint8Array } {
  const live = new Uint8Array(index.size);
  for (const record of order) live[record] = 1;
  const answered = new Uint8Array(index.size);
  const called = new Uint8Array(index.size);
  for (const record of order) {
    if (!index.has(record, flag.results)) continue;
    const call = index.callOf(record);
    if (call < 0 || live[call] === 0 || !index.has(call, flag.calls)) continue;
    answered[call] = 1;
    if (!index.has(call, flag.manyCalls)) called[record] = 1;
  }
  return { answered, called };
}

/** The calls of a record that have no result before the conversation goes on. */
function openCalls(index: RecordIndex, spot: Spot): ReadonlySet<string> {
  const { order, at, reader } = spot;
  const open = new Set(idsIn(reader.record(order[at]!), "tool_use", "id"));
  const group = index.groups[order[at]!]!;
  const end = Math.min(order.length, at + 1 + limits.openToolCalls);
  for (let next = at + 1; next < end && open.size > 0; next += 1) {
    const record = order[next]!;
    if (index.has(record, flag.results)) {
      for (const id of idsIn(reader.record(record), "tool_result", "tool_use_id")) open.delete(id);
    } else if (index.has(record, flag.assistant)) {
      if (group < 0 || index.groups[record] !== group) return open;
    } else if (index.has(record, flag.user) && reader.record(record)?.["isMeta"] !== true) {
      return open;
    }
  }
  return new Set();
}

/** The results of a record whose call does not stand in the message before it. */
function strayResults(index: RecordIndex, spot: Spot): ReadonlySet<string> {
  const { order, at, reader } = spot;
  const stray = new Set(idsIn(reader.record(order[at]!), "tool_result", "tool_use_id"));
  const end = Math.max(0, at - limits.openToolCalls);
  let group: number | undefined;
  for (let next = at - 1; next >= end && stray.size > 0; next -= 1) {
    const record = order[next]!;
    if (!index.has(record, flag.assistant)) continue;
    if (group !== undefined && (group < 0 || index.groups[record] !== group)) return stray;
    group = index.groups[record]!;
    for (const id of idsIn(reader.record(record), "tool_use", "id")) stray.delete(id);
  }
  return spot.partial ? new Set() : stray;
}

function trailingThinking(
  index: RecordIndex,
  order: Int32Array,
  reader: RecordReader,
): readonly number[] {
  const found: number[] = [];
  for (let at = order.length - 1; at >= 0; at -= 1) {
    const record = order[at]!;
    if (index.has(record, flag.user)) return found;
    if (!index.has(record, flag.assistant)) continue;
    const blocks = blocksIn(reader.record(record));
    const thinks = blocks.length > 0 && blocks.every((block) => isThinking(block["type"]));
    if (!thinks) return sameMessage(index, record, found.at(-1)) ? [] : found;
    if (!sameMessage(index, record, found.at(-1)) && found.length > 0) return found;
    found.push(record);
  }
  return found;
}

function sameMessage(index: RecordIndex, a: number, b: number | undefined): boolean {
  return b !== undefined && index.groups[a]! >= 0 && index.groups[a] === index.groups[b];
}

function isThinking(type: unknown): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

function blocksIn(record: JsonObject | undefined): readonly JsonObject[] {
  const message = record?.["message"];
  return isObject(message) ? asArray(message["content"]).filter(isObject) : [];
}

function idsIn(record: JsonObject | undefined, type: string, key: string): readonly string[] {
  return blocksIn(record)
    .filter((block) => block["type"] === type)
    .flatMap((block) => asString(block[key]) ?? []);
}
