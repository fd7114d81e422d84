import { hash } from "node:crypto";
import { RepriseError } from "../base/errors.ts";
import { isObject, type JsonObject, parseObject } from "../base/json.ts";
import { isTooHeavy } from "../base/json-weight.ts";
import { limits } from "../base/limits.ts";
import { JsonBytes } from "../json/json-bytes.ts";
import type { EventBody, EventId, SessionEvent } from "../model/event.ts";
import { wellFormed } from "../model/text.ts";

/**
 * One event, one line: `{"id":…,"parent":…,"at":…,"type":…,…,"sum":"16 hex"}`. The sum covers the
 * sum of the line before and this line's bytes up to `,"sum"`, and stands last with fixed length, so
 * that an incomplete line shows in its last bytes. See docs/format.md.
 */
const sumHex = 16;
const sumTail = `,"sum":"0123456789abcdef"}`.length;
/** What a new number and `recoveredFrom` may add to a line. */
const recoveredRoom = 128;

/** What stands in a line besides the body. */
export interface LineFrame {
  readonly id: EventId;
  readonly parent: EventId | undefined;
  readonly at: string;
  readonly recoveredFrom?: EventId | undefined;
  readonly metaAt?: number | undefined;
}

/** How much of our own JSON is taken as it is: what a writer accepted is read. */
export const ownJson = { unweighedChars: limits.ownUnweighedChars } as const;

/** The body as JSON text: strings well-formed, `type` first. */
export function encodeBody(body: EventBody): string {
  const json = JSON.stringify(body);
  checkWeight(json);
  // JSON.stringify escapes exactly the lone surrogates as \ud…; anything else pays no second pass.
  return json.includes("\\ud") ? JSON.stringify(wellFormed(body)) : json;
}

/** Refuses what would not be read again. */
function checkWeight(json: string): void {
  if (!isTooHeavy(json, limits.ownUnweighedChars)) return;
  throw new RepriseError("too_large", "An event holds more values than one line may hold.");
}

/** Makes lines into one reused buffer; the bytes are valid until the next call. */
export class LineEncoder {
  readonly #json = new JsonBytes({ loneSurrogates: "replaced", mostBytes: limits.lineBytes });

  /** The line of a body, which may be JSON already. */
  encode(
    frame: LineFrame,
    body: EventBody | string,
    previousSum: string,
  ): { readonly bytes: Buffer; readonly sum: string } {
    const json = this.#json;
    // The previous sum lies right before the line, so that one hash call covers both.
    const from = sumHex - previousSum.length;
    json.restart(from);
    let front = `${previousSum}{"id":${frame.id}`;
    if (frame.parent !== undefined) front += `,"parent":${frame.parent}`;
    json.latin1(`${front},"at":"${frame.at}"`);
    if (typeof body === "string") addEncoded(json, body);
    else json.fields(body as unknown as JsonObject, afterFrame);
    if (frame.recoveredFrom !== undefined) json.latin1(`,"recoveredFrom":${frame.recoveredFrom}`);
    if (frame.metaAt !== undefined) json.latin1(`,"metaAt":${frame.metaAt}`);
    // What was taken out of a damaged end was a line before: it must find room again.
    const most =
      limits.lineBytes - sumTail + (frame.recoveredFrom === undefined ? 0 : recoveredRoom);
    const end = json.length;
    if (end - sumHex > most) throw tooLong(end - sumHex);
    if (end - sumHex > limits.ownUnweighedChars)
      checkWeight(json.buffer.toString("latin1", sumHex, end));
    const sum = digest(json.buffer.subarray(from, end));
    json.latin1(`,"sum":"${sum}"}\n`);
    return { bytes: json.buffer.subarray(sumHex, json.length), sum };
  }
}

const afterFrame = { depth: 1, goesOn: true } as const;

function addEncoded(json: JsonBytes, body: string): void {
  if (body.length > limits.lineBytes + recoveredRoom) throw tooLong(body.length);
  const start = json.length;
  json.text(body);
  // The brace it begins with becomes the comma, the one it ends with goes.
  json.buffer[start] = 0x2c;
  json.length -= 1;
}

function tooLong(length: number): RepriseError {
  return new RepriseError(
    "too_large",
    `An event of ${length} bytes is over the limit of one line.`,
  );
}

function digest(bytes: Buffer): string {
  return hash("sha256", bytes, "hex").slice(0, sumHex);
}

/**
 * The line without what an editor may have put around it: a byte order mark before the first line, a
 * carriage return after each. The sum never covered them.
 */
export function bareLine(bytes: Buffer): Buffer {
  const from = markBytes(bytes);
  const end = bytes[bytes.length - 1] === 0x0d ? bytes.length - 1 : bytes.length;
  return end - from === bytes.length ? bytes : bytes.subarray(from, end);
}

/** How long the mark is that some editors put before a text. */
function markBytes(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** The sum a complete line ends with, or undefined if the line is not a complete one. `line` without newline. */
export function sumOf(line: Buffer): string | undefined {
  const bytes = bareLine(line);
  const at = bytes.length - sumTail;
  if (at < 1) return undefined;
  const tail = bytes.toString("latin1", at);
  return /^,"sum":"[0-9a-f]{16}"\}$/.test(tail) ? tail.slice(8, 8 + sumHex) : undefined;
}

/** The sum this line must have after the given one. */
export function expectedSum(line: Buffer, previousSum: string): string {
  const bytes = bareLine(line);
  const covered = bytes.subarray(0, bytes.length - sumTail);
  return digest(
    previousSum === "" ? covered : Buffer.concat([Buffer.from(previousSum, "latin1"), covered]),
  );
}

const idFront = '{"id":';

/** The number a line begins with, read without parsing it; undefined if it has none. */
export function idOf(line: Buffer): EventId | undefined {
  const bytes = bareLine(line);
  for (let index = 0; index < idFront.length; index += 1) {
    if (bytes[index] !== idFront.charCodeAt(index)) return undefined;
  }
  let id = 0;
  let at = 6;
  for (; at < bytes.length && at < 22; at += 1) {
    const digit = bytes[at]! - 0x30;
    if (digit < 0 || digit > 9) break;
    id = id * 10 + digit;
  }
  return at > 6 && Number.isSafeInteger(id) ? id : undefined;
}

/** What every line of ours begins with. */
export interface LinePrefix {
  readonly id: EventId;
  readonly parent: EventId | undefined;
  readonly at: string;
  readonly type: string;
}

const prefix = /^\{"id":(\d+)(?:,"parent":(\d+))?,"at":"([^"]*)","type":"([^"]*)"/;
const prefixBytes = 160;

/** What a line begins with, read without parsing it; undefined if it does not stand there. */
export function prefixOf(line: Buffer): LinePrefix | undefined {
  const from = markBytes(line);
  const found = prefix.exec(
    line.toString("latin1", from, Math.min(line.length, from + prefixBytes)),
  );
  if (found === null) return undefined;
  const [, id, parent, at, type] = found;
  return {
    id: Number(id),
    parent: parent === undefined ? undefined : Number(parent),
    at: at!,
    type: type!,
  };
}

/** Where the newest meta line begins, as the end of a line says it. */
export function metaAtOf(line: Buffer): number | undefined {
  const end = line.length - sumTail - (line[line.length - 1] === 0x0d ? 1 : 0);
  // The field ends in a digit right before the sum, and most lines do not.
  const last = end > 0 ? line[end - 1]! : 0;
  if (last < 0x30 || last > 0x39) return undefined;
  const tail = line.toString("latin1", Math.max(0, end - 28), end);
  const found = /,"metaAt":(\d{1,15})$/.exec(tail);
  return found === null ? undefined : Number(found[1]);
}

/** The event a line holds; undefined if it is not one whole event. */
export function decodeLine(bytes: Buffer): SessionEvent | undefined {
  // A carriage return behind it is not a matter to a parser.
  const value = parseObject(bytes.toString("utf8", markBytes(bytes)), limits.ownUnweighedChars);
  return isEvent(value) ? value : undefined;
}

/** Whether a parsed value has what every event has. */
export function isEvent(value: unknown): value is SessionEvent {
  return (
    isObject(value) &&
    Number.isSafeInteger(value["id"]) &&
    (value["id"] as number) > 0 &&
    typeof value["type"] === "string" &&
    typeof value["at"] === "string" &&
    (value["parent"] === undefined || typeof value["parent"] === "number")
  );
}
