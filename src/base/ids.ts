import { createHash, randomBytes } from "node:crypto";
import { RepriseError } from "./errors.ts";

let lastMs = 0;
let sequence = 0;

/** A UUIDv7: sorts by creation time, also within one millisecond of one process. */
export function uuidv7(nowMs = Date.now()): string {
  const random = randomBytes(16);
  // The clock may go backwards; the sequence of one process must not.
  if (nowMs > lastMs) {
    lastMs = nowMs;
    sequence = random.readUInt16BE(0) & 0x7ff;
  } else {
    sequence += 1;
    if (sequence > 0xfff) {
      lastMs += 1;
      sequence = 0;
    }
  }
  random.writeUIntBE(lastMs, 0, 6);
  random.writeUInt16BE(0x7000 | sequence, 6);
  random[8] = 0x80 | (random[8]! & 0x3f);
  const hex = random.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const sessionIdShape = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;
const reservedOnWindows = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;

/** Why an id may not become a file name, or undefined if it may. */
export function sessionIdProblem(id: string): string | undefined {
  if (!sessionIdShape.test(id)) return "it has characters or a length that are not allowed";
  if (id.endsWith(".")) return "it ends in a dot";
  if (reservedOnWindows.test(id)) return "the name is reserved on Windows";
  return undefined;
}

/** Returns the id if it is safe to become a file name, otherwise throws `bad_id`. */
export function checkSessionId(id: string): string {
  const problem = sessionIdProblem(id);
  if (problem === undefined) return id;
  throw new RepriseError(
    "bad_id",
    `Session id ${JSON.stringify(id.slice(0, 140))} is refused: ${problem}.`,
  );
}

const keyMark = "k-";
const longKeyMark = "kh-";
const longestId = 128;
const shownOfLongKey = 48;

/**
 * The session id of a caller's own key: any string has one, and different strings have different ones, also where a
 * file system does not know capitals. `keyOfSessionId` gives the key of all but very long ones back.
 */
export function sessionIdOf(key: string): string {
  let escaped = "";
  for (const character of key) {
    escaped += /[a-z0-9-]/.test(character)
      ? character
      : `_${character.codePointAt(0)!.toString(16)}_`;
  }
  if (keyMark.length + escaped.length <= longestId) return keyMark + escaped;
  // By its code units: as UTF-8 two halves of characters could not be reported apart.
  const digest = createHash("sha256").update(Buffer.from(key, "utf16le")).digest("hex");
  return `${longKeyMark}${escaped.slice(0, shownOfLongKey)}-${digest}`;
}

/** The key an id was made of; undefined if it was made of none, or of one too long to stand in it. */
export function keyOfSessionId(id: string): string | undefined {
  if (!id.startsWith(keyMark)) return undefined;
  const key = id.slice(keyMark.length).replace(/_([0-9a-f]{1,6})_/g, (whole, hex: string) => {
    const point = Number.parseInt(hex, 16);
    return point > 0x10ffff ? whole : String.fromCodePoint(point);
  });
  return sessionIdOf(key) === id ? key : undefined;
}
