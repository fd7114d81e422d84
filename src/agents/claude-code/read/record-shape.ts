import { hashId, type IdHash } from "./id-table.ts";

/** What kind of record a line holds, as far as threading is concerned. */
export type RecordKind = "user" | "assistant" | "system" | "attachment" | "other";

/** The fields of one record that decide where it belongs, found without parsing it. */
export interface RecordShape {
  kind: RecordKind;
  /** The type as written, where it is none of the four kinds. */
  type: string;
  uuid: IdHash | undefined;
  /** Undefined for null and where absent; `hasParent` tells them apart. */
  parent: IdHash | undefined;
  hasParent: boolean;
  sidechain: boolean;
  boundary: boolean;
  snapshot: boolean;
  apiError: boolean;
  synthetic: boolean;
  /** The message's id; equal for the records of one model message. */
  message: IdHash | undefined;
  calls: number;
  results: boolean;
  source: IdHash | undefined;
  leaf: IdHash | undefined;
  cwd: IdHash | undefined;
  branch: IdHash | undefined;
}

const quote = 0x22;
const backslash = 0x5c;
const open = 0x7b;
const close = 0x7d;
const comma = 0x2c;
const colon = 0x3a;

const keys = {
  type: Buffer.from("type"),
  uuid: Buffer.from("uuid"),
  parentUuid: Buffer.from("parentUuid"),
  isSidechain: Buffer.from("isSidechain"),
  message: Buffer.from("message"),
  subtype: Buffer.from("subtype"),
  attachment: Buffer.from("attachment"),
  leafUuid: Buffer.from("leafUuid"),
  cwd: Buffer.from("cwd"),
  gitBranch: Buffer.from("gitBranch"),
  isApiErrorMessage: Buffer.from("isApiErrorMessage"),
  sourceToolAssistantUUID: Buffer.from("sourceToolAssistantUUID"),
  id: Buffer.from("id"),
  model: Buffer.from("model"),
  content: Buffer.from("content"),
};
const longestKey = 23;
export const words = {
  boundary: Buffer.from("compact_boundary"),
  snapshot: Buffer.from("prompt_snapshot"),
  synthetic: Buffer.from("<synthetic>"),
};
/** Calls are named by `"tool_use"`, results by `"tool_use_id"`. */
export const toolToken = Buffer.from('"tool_use');
const resultEnding = Buffer.from('_id"');

type Level = "record" | "message" | "attachment";

/**
 * The shape of a line that is one whole JSON object by its braces and strings, or undefined where it
 * is not. One pass over the bytes, no strings made: a session is threaded several times faster than
 * by parsing it, and a torn or spliced line never passes.
 */
export function scanRecord(line: Buffer): RecordShape | undefined {
  const shape = emptyShape();
  const start = skipBlank(line, line[0] === 0xef ? 3 : 0);
  if (line[start] !== open || line.includes(0)) return undefined;
  const end = scanObject(line, start, { level: "record", shape });
  if (end < 0 || skipBlank(line, end) !== line.length) return undefined;
  return shape;
}

/** The shape of a record that says nothing. */
export function emptyShape(): RecordShape {
  return {
    kind: "other",
    type: "",
    uuid: undefined,
    parent: undefined,
    hasParent: false,
    sidechain: false,
    boundary: false,
    snapshot: false,
    apiError: false,
    synthetic: false,
    message: undefined,
    calls: 0,
    results: false,
    source: undefined,
    leaf: undefined,
    cwd: undefined,
    branch: undefined,
  };
}

/** Walks one object's members; the index after it, or -1 where it never closes. */
function scanObject(
  line: Buffer,
  from: number,
  into: { readonly level: Level; readonly shape: RecordShape },
): number {
  let at = skipBlank(line, from + 1);
  if (line[at] === close) return at + 1;
  for (;;) {
    if (line[at] !== quote) return -1;
    const keyEnd = stringEnd(line, at + 1);
    if (keyEnd < 0) return -1;
    const keyStart = at + 1;
    at = skipBlank(line, keyEnd + 1);
    if (line[at] !== colon) return -1;
    at = skipBlank(line, at + 1);
    const end = memberEnd(line, { keyStart, keyEnd, at }, into);
    if (end < 0) return -1;
    at = skipBlank(line, end);
    if (line[at] === close) return at + 1;
    if (line[at] !== comma) return -1;
    at = skipBlank(line, at + 1);
  }
}

/** Where a member's key and value stand; the value's end is known for strings only. */
interface Member {
  readonly line: Buffer;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly at: number;
  readonly end: number;
}

/** Notes a member's value where it matters; the index after the value, or -1. */
function memberEnd(
  line: Buffer,
  key: { readonly keyStart: number; readonly keyEnd: number; readonly at: number },
  into: { readonly level: Level; readonly shape: RecordShape },
): number {
  const { keyStart, keyEnd, at } = key;
  const { level, shape } = into;
  const first = line[at];
  if (first === quote) {
    const end = stringEnd(line, at + 1);
    if (end < 0) return -1;
    if (keyEnd - keyStart <= longestKey) {
      noteString({ line, keyStart, keyEnd, at: at + 1, end }, level, shape);
    }
    return end + 1;
  }
  if (first === open || first === 0x5b) {
    const length = keyEnd - keyStart;
    if (level === "record" && first === open && (length === 7 || length === 10)) {
      if (equals(line, keyStart, keyEnd, keys.message)) {
        return scanObject(line, at, { level: "message", shape });
      }
      if (equals(line, keyStart, keyEnd, keys.attachment)) {
        return scanObject(line, at, { level: "attachment", shape });
      }
    }
    const end = nestedEnd(line, at);
    const isContent = level === "message" && equals(line, keyStart, keyEnd, keys.content);
    if (end > 0 && isContent) noteContent(line, at, end, shape);
    return end;
  }
  if (level === "record") {
    if (equals(line, keyStart, keyEnd, keys.parentUuid)) shape.hasParent = true;
    else if (equals(line, keyStart, keyEnd, keys.isSidechain)) shape.sidechain = first === 0x74;
    else if (equals(line, keyStart, keyEnd, keys.isApiErrorMessage)) {
      shape.apiError = first === 0x74;
    }
  }
  return scalarEnd(line, at);
}

function noteString(member: Member, level: Level, shape: RecordShape): void {
  const { line, at, end } = member;
  switch (level) {
    case "record":
      noteField(member, shape);
      break;
    case "message":
      if (isKey(member, keys.id)) shape.message = hashId(line, at, end);
      else if (isKey(member, keys.model)) shape.synthetic = equals(line, at, end, words.synthetic);
      break;
    case "attachment":
      if (isKey(member, keys.type)) shape.snapshot = equals(line, at, end, words.snapshot);
      break;
  }
}

function noteField(member: Member, shape: RecordShape): void {
  const { line, at, end } = member;
  switch (member.keyEnd - member.keyStart) {
    case 3:
      if (isKey(member, keys.cwd)) shape.cwd = hashId(line, at, end);
      break;
    case 4:
      if (isKey(member, keys.uuid)) shape.uuid = hashId(line, at, end);
      else if (isKey(member, keys.type))
        noteType(line.toString("latin1", at, Math.min(end, at + 64)), shape);
      break;
    case 7:
      if (isKey(member, keys.subtype)) shape.boundary = equals(line, at, end, words.boundary);
      break;
    case 8:
      if (isKey(member, keys.leafUuid)) shape.leaf = hashId(line, at, end);
      break;
    case 9:
      if (isKey(member, keys.gitBranch)) shape.branch = hashId(line, at, end);
      break;
    case 10:
      if (!isKey(member, keys.parentUuid)) break;
      shape.hasParent = true;
      shape.parent = hashId(line, at, end);
      break;
    case 23:
      if (isKey(member, keys.sourceToolAssistantUUID)) shape.source = hashId(line, at, end);
      break;
  }
}

/** Notes a record's type, and which of the four kinds it is. */
export function noteType(type: string, shape: RecordShape): void {
  shape.type = type;
  shape.kind =
    type === "user" || type === "assistant" || type === "system" || type === "attachment"
      ? type
      : "other";
}

function isKey(member: Member, key: Buffer): boolean {
  return equals(member.line, member.keyStart, member.keyEnd, key);
}

/** Counts calls and notes results by their tokens; a quote inside a string is escaped and never matches. */
function noteContent(line: Buffer, from: number, end: number, shape: RecordShape): void {
  const content = line.subarray(from, end);
  // Both begin alike, and most contents hold neither.
  for (let at = content.indexOf(toolToken); at >= 0; at = content.indexOf(toolToken, at + 1)) {
    const next = from + at + toolToken.length;
    if (line[next] === quote) shape.calls = Math.min(shape.calls + 1, 2);
    else if (equals(line, next, next + resultEnding.length, resultEnding)) shape.results = true;
    if (shape.calls === 2 && shape.results) return;
  }
}

function equals(line: Buffer, start: number, end: number, word: Buffer): boolean {
  if (end - start !== word.length) return false;
  for (let index = 0; index < word.length; index += 1) {
    if (line[start + index] !== word[index]) return false;
  }
  return true;
}

function skipBlank(line: Buffer, from: number): number {
  let at = from;
  while (line[at] === 0x20 || line[at] === 0x0d || line[at] === 0x09) at += 1;
  return at;
}

function scalarEnd(line: Buffer, from: number): number {
  for (let at = from; at < line.length; at += 1) {
    const byte = line[at];
    if (byte === comma || byte === close) return at > from ? at : -1;
    if (byte === quote || byte === open || byte === 0x5b) return -1;
  }
  return -1;
}

/** The index after the object or array that begins at `from`, or -1. */
function nestedEnd(line: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < line.length; at += 1) {
    const byte = line[at];
    if (byte === quote) {
      at = stringEnd(line, at + 1);
      if (at < 0) return -1;
    } else if (byte === open || byte === 0x5b) depth += 1;
    else if (byte === close || byte === 0x5d) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** Strings are mostly shorter than this: a call into the system costs more than looking at so many bytes. */
const nearBytes = 96;

/** The index of the quote that ends the string whose content begins at `from`, or -1. */
function stringEnd(line: Buffer, from: number): number {
  let at = from;
  const near = Math.min(at + nearBytes, line.length);
  while (at < near) {
    const byte = line[at];
    if (byte === quote) return at;
    at += byte === backslash ? 2 : 1;
  }
  for (;;) {
    const found = at < line.length ? line.indexOf(quote, at) : -1;
    if (found < 0) return -1;
    let slashes = 0;
    while (found - 1 - slashes >= at && line[found - 1 - slashes] === backslash) slashes += 1;
    if (slashes % 2 === 0) return found;
    at = found + 1;
  }
}
