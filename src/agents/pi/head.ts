import { closeSync, openSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { timeOf } from "../../base/clock.ts";
import { asString, isObject, type JsonObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { linesBackward } from "../../jsonl/read-backward.ts";
import { readLine, recordsForward } from "../../jsonl/records.ts";
import type { SessionHead, SessionState } from "../../model/head.ts";
import { oneLine } from "../../model/text.ts";
import type { SessionRef } from "../contract.ts";
import { promptOf } from "./bodies.ts";
import { sessionOf } from "./locate.ts";
import { acceptsRecord, isHeader, isSoundHeader } from "./record.ts";

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
  let fd: number;
  try {
    fd = openSync(ref.path, "r");
  } catch {
    return undefined;
  }
  try {
    let first = readStart(fd, limits.headBytes);
    // A long first prompt, or much before it: look further, but not far.
    if (first.prompt === undefined && ref.sizeBytes > limits.headBytes) {
      first = readStart(fd, limits.headBytesMax);
    }
    const last = readEnd(fd);
    if (first.header === undefined && last.updatedAt === undefined) return undefined;
    return headOf(ref, first, last);
  } finally {
    closeSync(fd);
  }
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
  return {
    agent: "pi",
    session: asString(header?.["id"]) ?? ref.session,
    path: ref.path,
    sizeBytes: ref.sizeBytes,
    updatedAt: last.updatedAt ?? new Date(ref.modifiedMs).toISOString(),
    state: last.state ?? "unknown",
    ...(createdAt !== undefined && { createdAt }),
    ...(title !== undefined && { title: oneLine(title, limits.titleChars), titled: name != null }),
    ...(cwd !== undefined && {
      cwd,
      cwdExists: folderExists(cwd),
      project: { name: basename(resolve(cwd)), path: cwd },
    }),
    ...(model !== undefined && { model }),
    ...(header !== undefined && { version: String(header["version"] ?? 1) }),
    ...(parent !== undefined && { relation: { kind: "fork", session: sessionOf(parent) } }),
    ...(first.sound !== true && {
      problem: "The file does not begin with a header: pi would overwrite it when opening it.",
    }),
  };
}

function readStart(fd: number, bytes: number): End {
  const end: End = {};
  for (const line of recordsForward(fd, { end: bytes, accepts: acceptsRecord })) {
    // The window may cut a line; what is only cut is no damage.
    if (!line.complete && line.records.length === 0) break;
    if (line.records.length === 0) continue;
    for (const record of line.records) {
      end.sound ??= line.damage === undefined && isSoundHeader(record);
      if (isHeader(record)) end.header ??= record;
      else note(end, record, { newest: true });
    }
    if (end.prompt !== undefined) break;
  }
  return end;
}

function readEnd(fd: number): End {
  const end: End = {};
  let seenBytes = 0;
  const options = { firstChunkBytes: limits.tailBytes, maxLineBytes: limits.headBytesMax };
  for (const line of linesBackward(fd, options)) {
    const records = readLine(line, 0, acceptsRecord)?.records ?? [];
    for (const record of [...records].reverse()) {
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
  const ms = timeOf(value);
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

function folderExists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}
