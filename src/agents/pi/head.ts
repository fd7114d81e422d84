import { basename } from "node:path";
import { timeOf } from "../../base/clock.ts";
import { folderExists } from "../../base/folders.ts";
import { asString, isObject, type JsonObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { readOpen } from "../../base/open-file.ts";
import { parseLine } from "../../jsonl/parse-line.ts";
import { linesBackward } from "../../jsonl/read-backward.ts";
import { readLine } from "../../jsonl/records.ts";
import type { Salvaged } from "../../jsonl/salvage.ts";
import { lineStarts, linesOf, recordOf, timeIn, windowText } from "../../jsonl/text-window.ts";
import type { SessionHead, SessionState } from "../../model/head.ts";
import { type Opening, opened, openingOf } from "../../model/opening.ts";
import { oneLine } from "../../model/text.ts";
import type { SessionRef } from "../contract.ts";
import { sessionOf } from "./locate.ts";
import { promptOf } from "./read/bodies.ts";
import { acceptsRecord, isHeader, isSoundHeader } from "./record-types.ts";

/** What one end of the file tells. */
interface End {
  header?: JsonObject;
  /** Whether the first record is a header, as pi demands. */
  sound?: boolean;
  prompt?: string;
  /** The last name; null where it was cleared. */
  name?: string | null;
  model?: string;
  updatedAt?: string;
  state?: SessionState;
}

/** What the first and last bytes of a session tell; undefined where the file holds nothing of pi's. */
export function head(ref: SessionRef): SessionHead | undefined {
  // Where the file was taken away or the disk does not answer, nothing can be told.
  return readOpen(ref.path, (fd) => readHead(fd, ref), undefined);
}

function readHead(fd: number, ref: SessionRef): SessionHead | undefined {
  const size = ref.sizeBytes;
  const small = size <= limits.headBytes + limits.tailBytes;
  const start = windowText(fd, { at: 0, bytes: small ? size : limits.headBytes });
  let first = readStart(start, { toEnd: small });
  // A long first prompt, or much before it: look further, but not far.
  if (first.prompt === undefined && !small) {
    const bytes = Math.min(size, limits.headBytesMax);
    first = readStart(windowText(fd, { at: 0, bytes }), { toEnd: bytes === size });
  }
  const tail = small
    ? start
    : windowText(fd, { at: size - limits.tailBytes, bytes: limits.tailBytes });
  const last = readEnd(tail, { toStart: small }) ?? readLongEnd(fd, size);
  if (first.header === undefined && last.updatedAt === undefined) return undefined;
  return headOf(ref, first, last);
}

/** What the header tells; where it is not the first record, the whole head is asked. */
export function opening(ref: SessionRef): Opening | undefined {
  const read = (fd: number): Opening | undefined => {
    const text = windowText(fd, { at: 0, bytes: Math.min(ref.sizeBytes, limits.headBytes) });
    const end = text.indexOf("\n");
    const record = end < 0 ? undefined : recordOf(text.slice(0, end));
    if (record === undefined || !isSoundHeader(record)) return openingOf(head(ref));
    return opened(asString(record["id"]) ?? ref.session, { cwd: asString(record["cwd"]) });
  };
  return readOpen(ref.path, read, undefined);
}

function headOf(ref: SessionRef, first: End, last: End): SessionHead {
  const { header } = first;
  const cwd = asString(header?.["cwd"]);
  const createdAt = isoOf(header?.["timestamp"]);
  // An empty name clears: then the first prompt is the title again.
  const name = last.name === undefined ? first.name : last.name;
  const title = name ?? first.prompt;
  const model = last.model ?? first.model;
  const parent = asString(header?.["parentSession"]);
  // Assigned one by one: a list makes thousands of these.
  const told: { -readonly [Key in keyof SessionHead]: SessionHead[Key] } = {
    agent: "pi",
    session: asString(header?.["id"]) ?? ref.session,
    path: ref.path,
    sizeBytes: ref.sizeBytes,
    updatedAt: last.updatedAt ?? new Date(ref.modifiedMs).toISOString(),
    state: last.state ?? "unknown",
  };
  if (createdAt !== undefined) told.createdAt = createdAt;
  if (title !== undefined) {
    told.title = oneLine(title, limits.titleChars);
    told.titled = name != null;
  }
  if (cwd !== undefined) {
    told.cwd = cwd;
    told.cwdExists = folderExists(cwd);
    told.project = { name: basename(cwd), path: cwd };
  }
  if (model !== undefined) told.model = model;
  if (header !== undefined) told.version = String(header["version"] ?? 1);
  if (parent !== undefined) told.relation = { kind: "fork", session: sessionOf(parent) };
  if (first.sound !== true) {
    told.problem = "The file does not begin with a header: pi would overwrite it when opening it.";
  }
  return told;
}

function readStart(text: string, options: { readonly toEnd: boolean }): End {
  const end: End = {};
  for (const line of linesOf(text, options.toEnd)) {
    const { records, kind } = recordsIn(line.text);
    // The window may cut a line; what is only cut is no damage.
    if (!line.whole && records.length === 0) break;
    for (const record of records) {
      end.sound ??= kind === undefined && isSoundHeader(record);
      if (isHeader(record)) end.header ??= record;
      else note(end, record, { newest: true });
    }
    if (end.prompt !== undefined) break;
  }
  return end;
}

const nameToken = '"type":"session_info"';

/** What the last lines tell, parsed only as far as they are asked; undefined where they are cut off. */
function readEnd(text: string, options: { readonly toStart: boolean }): End | undefined {
  const end: End = {};
  const starts = lineStarts(text);
  const named = text.includes(nameToken);
  let stop = text.length;
  for (let at = starts.length - 1; at >= 0; at -= 1) {
    const from = starts[at]!;
    const line = text.slice(from, stop);
    stop = from;
    const known = end.state !== undefined && end.model !== undefined;
    if (known && !named) break;
    if (known && !line.includes(nameToken)) continue;
    if (at === 0 && !options.toStart) break;
    for (const record of recordsIn(line).records.toReversed()) {
      if (!isHeader(record)) note(end, record, { newest: false });
    }
  }
  return end.state !== undefined || options.toStart ? end : undefined;
}

/** The records of a line of a window, as a reader of the file would find them. */
function recordsIn(line: string): Salvaged {
  const record = line === "" || line === "\n" ? undefined : recordOf(line);
  if (record !== undefined) return { records: [record] };
  return line.trim() === ""
    ? { records: [] }
    : parseLine(Buffer.from(line, "latin1"), acceptsRecord);
}

/** The same of an end whose last lines are long. */
function readLongEnd(fd: number, size: number): End {
  const end: End = {};
  let seenBytes = 0;
  for (const line of linesBackward(fd, { end: size, maxLineBytes: limits.headBytesMax })) {
    const records = readLine(line, 0, acceptsRecord)?.records ?? [];
    for (const record of records.toReversed()) {
      if (!isHeader(record)) note(end, record, { newest: false });
    }
    seenBytes += line.length;
    if (seenBytes > limits.tailBytes && end.updatedAt !== undefined) break;
    if (seenBytes > limits.headBytesMax) break;
  }
  return end;
}

/** Notes what a record tells; seen backwards the first word counts, seen forwards the last. */
function note(end: End, record: JsonObject, order: { readonly newest: boolean }): void {
  const at = isoOf(record["timestamp"]);
  if (at !== undefined) end.updatedAt ??= at;
  const { type } = record;
  if (type === "session_info" && (order.newest || end.name === undefined)) {
    end.name = asString(record["name"])?.trim() || null;
  }
  const message = isObject(record["message"]) ? record["message"] : undefined;
  const model =
    type === "model_change"
      ? asString(record["modelId"])
      : type === "message" && message?.["role"] === "assistant"
        ? asString(message["model"])
        : undefined;
  if (model !== undefined && (order.newest || end.model === undefined)) end.model = model;
  if (type === "message" && message !== undefined) end.state ??= stateOf(message);
  const prompt = order.newest ? promptOf(record) : undefined;
  if (prompt !== undefined) end.prompt ??= prompt;
}

/** How the session was left, by its last message. */
function stateOf(message: JsonObject): SessionState {
  if (message["role"] === "bashExecution" || message["role"] === "custom") return "waiting";
  if (message["role"] !== "assistant") return "interrupted";
  const stop = message["stopReason"];
  return stop === "toolUse" || stop === "error" || stop === "aborted" ? "interrupted" : "waiting";
}

function isoOf(value: unknown): string | undefined {
  const written = timeIn(asString(value));
  if (written?.length === 24) return written;
  const ms = timeOf(value);
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
