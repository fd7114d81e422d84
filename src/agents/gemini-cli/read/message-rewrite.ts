import type { ByteWindow } from "../../../base/byte-window.ts";
import { type JsonObject, parseObject, parseObjectBytes } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { type Element, findArray, nextElement } from "../../../json/array-elements.ts";

/** How the program begins a line that replaces the whole conversation. */
export const rewriteBegin = Buffer.from('{"$set":{"messages":[');

/** Whether a record begins as one that replaces the conversation. */
export function startsAsRewrite(bytes: Buffer): boolean {
  return bytes.subarray(0, rewriteBegin.length).equals(rewriteBegin);
}

/** A record that carries a list of messages, checked from its first byte to its last. */
export interface Rewrite {
  /** The record with its list left empty. */
  readonly frame: JsonObject;
  /** The messages with their places, read as they are asked for. */
  messages(): Generator<Element & { readonly message: JsonObject }>;
}

/**
 * The rewritten conversation that begins at an offset and ends with the window, however long it is; undefined
 * where it is not sound. The program takes it whole or not at all, so all of it is looked at first.
 */
export function rewriteAt(window: ByteWindow, offset: number): Rewrite | undefined {
  const begin = findArray(window, { from: offset, paths: ["$set.messages", "messages"] });
  if (begin === undefined) return undefined;
  let position = begin;
  for (;;) {
    const step = nextElement(window, position);
    if (step.kind === "cut") return undefined;
    if (step.kind === "closed") {
      position = step.next;
      break;
    }
    if (parseObjectBytes(window.range(step.offset, step.length)) === undefined) return undefined;
    position = step.offset + step.length;
  }
  const before = begin - offset;
  const after = window.end - position;
  if (before + after > limits.headBytesMax) return undefined;
  const frame = parseObject(
    `${window.range(offset, before).toString()}]${window.range(position, after).toString()}`,
  );
  if (frame === undefined) return undefined;
  return { frame, messages: () => messagesFrom(window, begin) };
}

function* messagesFrom(
  window: ByteWindow,
  begin: number,
): Generator<Element & { readonly message: JsonObject }> {
  let position = begin;
  for (;;) {
    const step = nextElement(window, position);
    if (step.kind !== "element") return;
    const message = parseObjectBytes(window.range(step.offset, step.length));
    if (message === undefined) return;
    yield { offset: step.offset, length: step.length, message };
    position = step.offset + step.length;
  }
}
