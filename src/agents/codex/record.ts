import { asNumber, asString, isObject, type JsonObject } from "../../base/json.ts";
import type { Line } from "../../jsonl/line.ts";

/** What the first bytes of a line tell about the record on it. */
export interface Glance {
  readonly type: string;
  /** The type of the payload, where the payload begins with one. */
  readonly inner: string;
  readonly ordinal: number | undefined;
}

/** As Codex writes a line: time, ordinal, type, payload, in this order and without blanks. */
const shape =
  /^\{"timestamp":"[^"\\]{0,40}",(?:"ordinal":(\d{1,15}),)?"type":"(\w+)","payload":\{(?:"type":"(\w+)")?/;

const glanceBytes = 200;
const closingBrace = 0x7d;
const secondRecord = Buffer.from('{"timestamp":');

/**
 * Looks at a line without parsing it; undefined where it is not written as Codex writes, and has to
 * be parsed to be understood.
 */
export function glance(line: Line): Glance | undefined {
  const { bytes } = line;
  if (line.tooLong || !line.complete || bytes[bytes.length - 1] !== closingBrace) return undefined;
  const found = shape.exec(bytes.toString("latin1", 0, glanceBytes));
  if (found === null) return undefined;
  const ordinal = found[1] === undefined ? undefined : Number(found[1]);
  return { type: found[2]!, inner: found[3] ?? "", ordinal };
}

/**
 * Whether another record may lie behind the first: a newline was lost, a torn record glued on, or a
 * newline is among bytes that were zeroed.
 */
export function mayBeSpliced(line: Line): boolean {
  return line.bytes.indexOf(secondRecord, 1) >= 0 || line.bytes.indexOf(0) >= 0;
}

/** Tells a record from an object that only lay inside one. */
export function isRecord(candidate: JsonObject): boolean {
  return typeof candidate["type"] === "string" && "payload" in candidate;
}

/** The parts of a record every reader of it needs. */
export interface RolloutRecord {
  readonly type: string;
  readonly payload: JsonObject;
  readonly inner: string;
  readonly ordinal: number | undefined;
  readonly at: string | undefined;
  readonly native: JsonObject;
}

/** A parsed line as a record; undefined where it has no type and payload. */
export function recordOf(native: JsonObject): RolloutRecord | undefined {
  const type = asString(native["type"]);
  const payload = native["payload"];
  if (type === undefined || !isObject(payload)) return undefined;
  const ordinal = asNumber(native["ordinal"]);
  return {
    type,
    payload,
    inner: asString(payload["type"]) ?? "",
    ordinal: ordinal !== undefined && Number.isSafeInteger(ordinal) ? ordinal : undefined,
    at: asString(native["timestamp"]),
    native,
  };
}
