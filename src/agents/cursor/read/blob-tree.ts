import { createHash } from "node:crypto";
import { asString, isObject, type JsonObject, parseObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import type { Damage } from "../../../model/damage.ts";
import { blobs, facts, KeyValues } from "../key-values.ts";
import { textOf } from "../stored-json.ts";

/** A message of a store, and the place it has in the conversation. */
export interface StoredMessage {
  readonly place: number;
  readonly id: string;
  readonly message: JsonObject;
}

const hashShape = /^[0-9a-f]{64}$/;

/** The keys that a store has, for who looks through a damaged one. */
export function isOfStore(key: string): boolean {
  return key === "0" || hashShape.test(key);
}

/** What a store says of its conversation: JSON, written in hexadecimal digits. */
export function storeFacts(values: KeyValues): JsonObject {
  const hex = textOf(values.get(facts, "0"));
  return parseObject(Buffer.from(hex ?? "", "hex").toString("utf8")) ?? {};
}

/** Whether a file is a store of the command line. */
export function isStore(path: string): boolean {
  try {
    const values = new KeyValues(path, { wants: isOfStore });
    try {
      return asString(storeFacts(values)["latestRootBlobId"]) !== undefined;
    } finally {
      values.close();
    }
  } catch {
    return false;
  }
}

/**
 * The messages of a store in the order its tree gives them. Without a tree they come as they were written, which is the
 * order of the conversation unless something was edited.
 */
export function* messagesOf(
  values: KeyValues,
  onDamage: (damage: Damage) => void,
): Generator<StoredMessage> {
  const root = asString(storeFacts(values)["latestRootBlobId"]);
  const tree = root === undefined ? undefined : bytesOf(values, root);
  if (tree === undefined) {
    const detail = "the root of the conversation is missing; messages come as they were written";
    onDamage({ kind: "bad_header", offset: 0, recovered: 1, detail });
    yield* asWritten(values);
    return;
  }
  let place = 0;
  const seen = new Set<string>();
  const open: { readonly bytes: Buffer; at: number }[] = [{ bytes: tree, at: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const link = nextLink(top);
    if (link === undefined) {
      open.pop();
      continue;
    }
    if (link.isTree) {
      const bytes = seen.has(link.id) ? undefined : bytesOf(values, link.id);
      seen.add(link.id);
      if (bytes !== undefined && open.length < limits.parsedDepth) open.push({ bytes, at: 0 });
      else onDamage(missing(place, link.id));
      continue;
    }
    place += 1;
    const bytes = bytesOf(values, link.id);
    const message = bytes && messageIn(bytes);
    if (message === undefined) onDamage(missing(place, link.id));
    else {
      if (createHash("sha256").update(bytes!).digest("hex") !== link.id)
        onDamage({ ...missing(place, link.id), recovered: 1, detail: "a message was changed" });
      yield { place, id: link.id, message };
    }
  }
}

function missing(place: number, id: string): Damage {
  const detail = `the message ${id.slice(0, 12)} is missing or no JSON`;
  return { kind: "bad_record", offset: place, recovered: 0, detail };
}

function* asWritten(values: KeyValues): Generator<StoredMessage> {
  let place = 0;
  for (const [id, stored] of values.all(blobs)) {
    if (!hashShape.test(id) || !(stored instanceof Uint8Array)) continue;
    const message = messageIn(Buffer.from(stored));
    if (message === undefined) continue;
    place += 1;
    yield { place, id, message };
  }
}

function bytesOf(values: KeyValues, id: string): Buffer | undefined {
  const stored = values.get(blobs, id);
  return stored instanceof Uint8Array ? Buffer.from(stored) : undefined;
}

/** The next hash of a frame: field 1 names a message, field 2 a frame. What else stands there is passed over. */
function nextLink(frame: {
  readonly bytes: Buffer;
  at: number;
}): { readonly id: string; readonly isTree: boolean } | undefined {
  for (let field = nextField(frame); field !== undefined; field = nextField(frame)) {
    const { number, bytes } = field;
    if (bytes?.length === 32 && (number === 1 || number === 2))
      return { id: bytes.toString("hex"), isTree: number === 2 };
  }
  return undefined;
}

/** A message is JSON, or a frame whose field 4 is. */
function messageIn(bytes: Buffer): JsonObject | undefined {
  const whole = bytes[0] === 0x7b ? parseObject(bytes.toString("utf8")) : undefined;
  if (whole !== undefined) return isMessage(whole) ? whole : undefined;
  const frame = { bytes, at: 0 };
  for (let field = nextField(frame); field !== undefined; field = nextField(frame)) {
    const inner = field.number === 4 ? field.bytes : undefined;
    const found = inner?.[0] === 0x7b ? parseObject(inner.toString("utf8")) : undefined;
    if (found !== undefined && isMessage(found)) return found;
  }
  return undefined;
}

function isMessage(value: unknown): boolean {
  return isObject(value) && typeof value["role"] === "string";
}

interface Field {
  readonly number: number;
  readonly bytes?: Buffer;
}

/** One field of a Protocol Buffers message; undefined at its end, or where it is none. */
function nextField(frame: { readonly bytes: Buffer; at: number }): Field | undefined {
  const tag = varint(frame);
  if (tag === undefined) return undefined;
  const number = Math.floor(tag / 8);
  const wire = tag % 8;
  if (wire === 0) return varint(frame) === undefined ? undefined : { number };
  const length = wire === 2 ? varint(frame) : wire === 1 ? 8 : wire === 5 ? 4 : undefined;
  if (length === undefined || frame.at + length > frame.bytes.length) return undefined;
  const bytes = frame.bytes.subarray(frame.at, frame.at + length);
  frame.at += length;
  return { number, bytes };
}

function varint(frame: { readonly bytes: Buffer; at: number }): number | undefined {
  let value = 0;
  for (let index = 0; index < 8; index += 1) {
    const byte = frame.bytes[frame.at];
    if (byte === undefined) return undefined;
    frame.at += 1;
    value += (byte & 0x7f) * 128 ** index;
    if (byte < 0x80) return value;
  }
  return undefined;
}
