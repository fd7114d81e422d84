import { fstatSync, readSync } from "node:fs";
import { asArray, asString, isObject, type JsonObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { readOpen } from "../../base/open-file.ts";
import { withoutInjected } from "../../model/injected.ts";

/** What was said at the end of a transcript, the newest last. */
export interface SaidLast {
  readonly prompts: readonly string[];
  readonly answer?: string;
}

/**
 * The last things said in a transcript of lines, read from its end and bounded; nothing where it cannot be
 * read. It knows how the agents with hooks write a message down, and takes only what is plainly one: the whole
 * truth is the readers' business, which a hook has no time for.
 */
export function saidLast(transcript: string): SaidLast {
  const prompts: string[] = [];
  let answer: string | undefined;
  for (const line of linesAt(transcript, "end").toReversed()) {
    const said = saidOn(line);
    if (said === undefined || said.text === "") continue;
    if (said.role === "user") prompts.push(said.text);
    else answer ??= said.text;
    if (prompts.length >= limits.handoffPrompts) break;
  }
  return { prompts: prompts.reverse(), ...(answer !== undefined && { answer }) };
}

/** The first thing a person said in a transcript, as far as its beginning tells. */
export function saidFirst(transcript: string): string | undefined {
  for (const line of linesAt(transcript, "start")) {
    const said = saidOn(line);
    if (said?.role === "user" && said.text !== "") return said.text;
  }
  return undefined;
}

/** The whole lines at one end of a file. */
function linesAt(path: string, end: "start" | "end"): readonly string[] {
  const read = (fd: number): readonly string[] => {
    const { size } = fstatSync(fd);
    const length = Math.min(size, limits.handoffTailBytes);
    const bytes = Buffer.allocUnsafe(length);
    const taken = readSync(fd, bytes, 0, length, end === "start" ? 0 : size - length);
    const lines = bytes.toString("utf8", 0, taken).split("\n");
    if (length === size) return lines;
    return end === "start" ? lines.slice(0, -1) : lines.slice(1);
  };
  return readOpen(path, read, []);
}

function saidOn(line: string): Said | undefined {
  // Tool results and snapshots are most of a transcript: told by a look, not parsed.
  if (!line.includes('"user') && !line.includes('"assistant"') && !line.includes('"gemini"'))
    return undefined;
  const record = parseObject(line);
  return record === undefined ? undefined : saidIn(record);
}

interface Said {
  readonly role: "user" | "assistant";
  readonly text: string;
}

function saidIn(record: JsonObject): Said | undefined {
  const { type, payload, message } = record;
  if (type === "response_item" && isObject(payload) && payload["type"] === "message") {
    return said(payload["role"], payload["content"]);
  }
  if (type === "gemini") return said("assistant", record["content"]);
  if (isObject(message)) {
    const isProgram = record["isMeta"] === true || record["isSidechain"] === true;
    return isProgram || record["isCompactSummary"] === true
      ? undefined
      : said(message["role"], message["content"]);
  }
  return type === "user" ? said("user", record["content"]) : undefined;
}

function said(role: unknown, content: unknown): Said | undefined {
  if (role !== "user" && role !== "assistant") return undefined;
  const parts = typeof content === "string" ? [content] : asArray(content).map(textOf);
  const text = withoutInjected(parts.join("\n").trim());
  // What programs put in as a user's words begins with an element.
  return role === "user" && text.startsWith("<") ? undefined : { role, text };
}

function textOf(part: unknown): string {
  return isObject(part) ? (asString(part["text"]) ?? "") : "";
}
