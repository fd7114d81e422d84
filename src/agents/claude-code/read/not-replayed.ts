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
  const { reader } = options;
  const lost = new Map<number, NotReplayed>();
  const { answered, called } = paired(index, order);
  const replay = { index, order, ...options };
  // Only what the ids of records do not already pair is looked at closely.
  const isUnpaired = (record: number): boolean =>
    index.has(record, flag.calls)
      ? answered[record] === 0 || index.has(record, flag.manyCalls)
      : index.has(record, flag.results) && called[record] === 0;
  loseOpenCalls(replay, { isUnpaired, lost });
  loseStrayResults(replay, { isUnpaired, lost });
  for (const record of trailingThinking(index, order, reader)) lost.set(record, "all");
  return lost;
}

interface Replay {
  readonly index: RecordIndex;
  readonly order: Int32Array;
  readonly reader: RecordReader;
  /** What came before is not indexed: a call may stand there. */
  readonly partial: boolean;
}

interface Losing {
  readonly isUnpaired: (record: number) => boolean;
  readonly lost: Map<number, NotReplayed>;
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

/**
 * The calls that have no result before the conversation goes on. A message and all up to where the next begins, or
 * a person speaks, is looked at together, so that each record is parsed once.
 */
function loseOpenCalls(replay: Replay, { isUnpaired, lost }: Losing): void {
  const { index, order, reader } = replay;
  let begin = -1;
  const close = (end: number): void => {
    if (begin < 0) return;
    const unpaired: number[] = [];
    for (let at = begin; at < end; at += 1) {
      if (index.has(order[at]!, flag.calls) && isUnpaired(order[at]!)) unpaired.push(at);
    }
    if (unpaired.length === 0) return;
    const answeredAt = new Map<string, number>();
    for (let at = unpaired[0]! + 1; at < end; at += 1) {
      if (!index.has(order[at]!, flag.results)) continue;
      for (const id of idsIn(reader.record(order[at]!), "tool_result", "tool_use_id"))
        answeredAt.set(id, at);
      // Where so many results answer one message, what they leave open is not worth the memory.
      if (answeredAt.size > limits.openToolCalls) return;
    }
    for (const at of unpaired) {
      const ids = idsIn(reader.record(order[at]!), "tool_use", "id");
      const open = ids.filter((id) => (answeredAt.get(id) ?? -1) < at);
      if (open.length > 0) lost.set(order[at]!, new Set(open));
    }
  };
  for (let at = 0; at < order.length; at += 1) {
    const record = order[at]!;
    if (index.has(record, flag.results)) continue;
    if (index.has(record, flag.assistant)) {
      if (begin >= 0 && isOneMessage(index, order[begin]!, record)) continue;
      close(at);
      begin = at;
    } else if (index.has(record, flag.user) && !index.has(record, flag.meta)) {
      close(at);
      begin = -1;
    }
  }
  // What is open at the end stays.
}

/** The results whose call does not stand in the message before them. */
function loseStrayResults(replay: Replay, { isUnpaired, lost }: Losing): void {
  const { index, order, reader, partial } = replay;
  let begin = -1;
  let messages = 0;
  let parsedTo = 0;
  let calls = new Set<string>();
  for (let at = 0; at < order.length; at += 1) {
    const record = order[at]!;
    if (index.has(record, flag.assistant)) {
      if (begin >= 0 && isOneMessage(index, order[begin]!, record)) continue;
      messages += 1;
      begin = at;
      parsedTo = at;
      calls = new Set();
    }
    const isResult = index.has(record, flag.results) && !index.has(record, flag.calls);
    if (!isResult || !isUnpaired(record)) continue;
    // The call may stand before what is indexed, or among more than are remembered.
    if ((partial && messages < 2) || calls.size > limits.openToolCalls) continue;
    for (; parsedTo < at && begin >= 0; parsedTo += 1) {
      if (!index.has(order[parsedTo]!, flag.assistant)) continue;
      for (const id of idsIn(reader.record(order[parsedTo]!), "tool_use", "id")) calls.add(id);
    }
    const stray = idsIn(reader.record(record), "tool_result", "tool_use_id");
    const lone = stray.filter((id) => !calls.has(id));
    if (lone.length > 0) lost.set(record, new Set(lone));
  }
}

/** Whether two records are parts of one message of the model. */
function isOneMessage(index: RecordIndex, a: number, b: number): boolean {
  return index.groups[a]! >= 0 && index.groups[a] === index.groups[b];
}

function trailingThinking(
  index: RecordIndex,
  order: Int32Array,
  reader: RecordReader,
): readonly number[] {
  const found: number[] = [];
  const isPartOfLast = (record: number): boolean =>
    found.length > 0 && isOneMessage(index, record, found.at(-1)!);
  for (let at = order.length - 1; at >= 0; at -= 1) {
    const record = order[at]!;
    if (index.has(record, flag.user)) return found;
    if (!index.has(record, flag.assistant)) continue;
    const blocks = blocksIn(reader.record(record));
    const thinks = blocks.length > 0 && blocks.every((block) => isThinking(block["type"]));
    if (!thinks) return isPartOfLast(record) ? [] : found;
    if (!isPartOfLast(record) && found.length > 0) return found;
    found.push(record);
  }
  return found;
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
