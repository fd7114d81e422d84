import { asArray, asString, isObject, type JsonObject } from "../../base/json.ts";
import { recordOf } from "../../jsonl/text-window.ts";
import { AbsurdCount, costIn, countIn, momentIn } from "./counts.ts";
import type { LineTaker } from "./scan-file.ts";
import { eachLine, KeySearch, lineText, standsAt } from "./scan-lines.ts";
import type { SessionFacts } from "./source.ts";
import { keyOf, type Tokens, type UsageTable } from "./table.ts";

const messageKey = '"message":{';
const messageBytes = Buffer.from(messageKey);
const userRole = Buffer.from('"role":"user"');
const usageKey = '"usage":';
/** Fields stand near the beginning of a line, before the message's content. */
const headChars = 1024;

/**
 * Rows of a Claude Code transcript. One API message is several records, each with the usage so far: the
 * key is the message's id with the request's, and copies are settled by `markCopies`.
 */
export class ClaudeCodeLines implements LineTaker {
  damaged = 0;
  absurd = 0;
  sealed = 0;
  readonly #table: UsageTable;
  #facts: SessionFacts = {};
  /** The message before, as bytes: most records repeat it. */
  #last: ClaudeLast | undefined;

  constructor(table: UsageTable) {
    this.#table = table;
  }

  get facts(): SessionFacts {
    return this.#facts;
  }

  take(buffer: Buffer): void {
    const messages = new KeySearch(buffer, messageBytes);
    eachLine(buffer, (start, end) => {
      // Prompts and results are most of the bytes, and have no usage.
      const message = messages.within(start, end);
      if (message >= 0 && standsAt(buffer, userRole, message + messageBytes.length)) return;
      if (message < 0 && !buffer.subarray(start, end).includes(usageKey)) return;
      const text = lineText(buffer, start, end);
      const from = Math.max(0, message - start);
      const at = text.indexOf(usageKey, from);
      if (at < 0) return;
      this.#line(text, { start: 0, end: text.length, at, message: message < 0 ? -1 : from });
    });
  }

  #line(text: string, line: Line): void {
    if (this.#repeats(text, line)) return;
    const usageEnd = objectEnd(text, line.at + usageKey.length, line.end);
    const isKnown = this.#facts.cwd !== undefined && this.#facts.session !== undefined;
    const record =
      flatRecord(text, { ...line, usageEnd, isKnown }) ??
      recordOf(text.slice(line.start, line.end));
    if (record === undefined) {
      this.damaged += 1;
      return;
    }
    this.#record(record);
    this.#last = lastOf(record, usageEnd < 0 ? "" : text.slice(line.at, usageEnd));
  }

  /** Whether a record has the ids and the usage of the one before it, byte by byte. */
  #repeats(text: string, { at, end, message }: Line): boolean {
    const last = this.#last;
    if (last === undefined || message < 0 || !text.startsWith(last.usage, at)) return false;
    const id = text.indexOf(last.id, message);
    if (id < 0 || id > message + headChars) return false;
    const request = text.indexOf(last.request, at + last.usage.length);
    return request >= 0 && request < end;
  }

  #record(record: JsonObject): void {
    const message = record["message"];
    if (isObject(message) && isObject(message["usage"])) this.#message(record, message);
    // While a subagent works, its records are told in those of its parent as well.
    const told = isObject(record["data"]) ? record["data"]["message"] : undefined;
    if (isObject(told) && isObject(told["message"])) this.#message(told, told["message"]);
  }

  #message(record: JsonObject, message: JsonObject): void {
    const usage = message["usage"];
    if (!isObject(usage)) return;
    const cwd = asString(record["cwd"]);
    const session = asString(record["sessionId"]);
    if (this.#facts.cwd === undefined && cwd !== undefined) this.#facts = { ...this.#facts, cwd };
    if (this.#facts.session === undefined && session !== undefined) {
      this.#facts = { ...this.#facts, session };
    }
    const id = asString(message["id"]);
    const request = asString(record["requestId"]) ?? "";
    const fast = usage["speed"] === "fast" ? "-fast" : "";
    const rest = {
      atMs: momentIn(record["timestamp"]),
      costUsd: costIn(record["costUSD"]),
      side: record["isSidechain"] === true,
    };
    try {
      const key = id === undefined ? 0 : keyOf(`${id} ${request}`);
      const model = `${asString(message["model"]) ?? "unknown"}${fast}`;
      this.#table.add({ key, model, tokens: tokensOf(usage), ...rest });
      for (const [index, step] of asArray(usage["iterations"]).entries()) {
        // A second model that was asked for advice is not in the message's own numbers.
        if (!isObject(step) || step["type"] !== "advisor_message") continue;
        const adviser = asString(step["model"]) ?? "unknown";
        const stepKey = key === 0 ? 0 : keyOf(`${id} ${request} ${index}`);
        const costUsd = Number.NaN;
        this.#table.add({ ...rest, key: stepKey, model: adviser, tokens: tokensOf(step), costUsd });
      }
    } catch (error) {
      if (!(error instanceof AbsurdCount)) throw error;
      this.absurd += 1;
    }
  }
}

function tokensOf(usage: JsonObject): Tokens {
  const kept = isObject(usage["cache_creation"]) ? usage["cache_creation"] : {};
  const cacheWriteHour = countIn(kept, "ephemeral_1h_input_tokens");
  const minutes = countIn(kept, "ephemeral_5m_input_tokens");
  const written = countIn(usage, "cache_creation_input_tokens");
  const details = usage["output_tokens_details"];
  return {
    input: countIn(usage, "input_tokens"),
    output: countIn(usage, "output_tokens"),
    cacheRead: countIn(usage, "cache_read_input_tokens"),
    cacheWrite: Math.max(written, minutes + cacheWriteHour) - cacheWriteHour,
    cacheWriteHour,
    reasoning: isObject(details) ? countIn(details, "thinking_tokens") : 0,
  };
}

/** A line with usage: its bounds, where its message begins (-1 where it has none), where the usage is. */
interface Line {
  readonly start: number;
  readonly end: number;
  readonly message: number;
  readonly at: number;
}

/**
 * The record of a line as the program writes it, of which only the usage is parsed: no object stands
 * before the message's content besides the message, and none behind the usage, so a key there is the
 * record's or the message's own. Undefined where a line is not like that.
 */
function flatRecord(
  text: string,
  line: Line & { readonly usageEnd: number; readonly isKnown: boolean },
): JsonObject | undefined {
  const { start, end, message, at, usageEnd } = line;
  const opened = message + messageKey.length - 1;
  if (message < 0 || usageEnd < 0 || text.indexOf("{", start + 1) !== opened) return undefined;
  const content = text.indexOf('"content":', opened);
  if (content < 0 || content > opened + headChars) return undefined;
  const inner = text.indexOf("{", opened + 1);
  if (inner >= 0 && inner < content) return undefined;
  const after = text.slice(usageEnd, end);
  if (after.includes("{") || after.includes('"costUSD"') || !after.endsWith("}")) return undefined;
  const usage = recordOf(text.slice(at + usageKey.length, usageEnd));
  const before = text.slice(start, content);
  const timestamp = flat(after, '"timestamp":"') ?? flat(before, '"timestamp":"');
  if (usage === undefined || timestamp === undefined) return undefined;
  const within = text.slice(opened, content);
  return {
    message: { id: flat(within, '"id":"'), model: flat(within, '"model":"'), usage },
    requestId: flat(after, '"requestId":"') ?? flat(before, '"requestId":"'),
    timestamp,
    // The same in every record.
    ...(!line.isKnown && {
      sessionId: flat(after, '"sessionId":"') ?? flat(before, '"sessionId":"'),
      cwd: flat(after, '"cwd":"') ?? flat(before, '"cwd":"'),
    }),
    isSidechain: before.includes('"isSidechain":true') || after.includes('"isSidechain":true'),
  };
}

/** The text behind a key of flat fields. */
function flat(fields: string, key: string): string | undefined {
  const at = fields.indexOf(key);
  if (at < 0) return undefined;
  const start = at + key.length;
  const end = fields.indexOf('"', start);
  const value = fields.slice(start, end);
  // An escape, or bytes that are no ASCII, are left to the parser.
  return plainText.test(value)
    ? value
    : asString(recordOf(`{"v":"${valueAt(fields, start)}"}`)?.["v"]);
}

const plainText = /^[ !#-[\]-~]*$/;

function valueAt(fields: string, start: number): string {
  let end = start;
  while (end < fields.length && fields[end] !== '"') end += fields[end] === "\\" ? 2 : 1;
  return fields.slice(start, end);
}

function lastOf(record: JsonObject, usage: string): ClaudeLast | undefined {
  const message = record["message"];
  const id = isObject(message) ? asString(message["id"]) : undefined;
  const request = asString(record["requestId"]);
  if (id === undefined || request === undefined || usage === "") return undefined;
  return {
    usage,
    id: `"id":${JSON.stringify(id)}`,
    request: `"requestId":${JSON.stringify(request)}`,
  };
}

interface ClaudeLast {
  readonly usage: string;
  readonly id: string;
  readonly request: string;
}

/** Where the object that begins at an index ends, -1 where it does not or where texts in it hold braces. */
function objectEnd(text: string, start: number, end: number): number {
  let depth = 0;
  let at = start;
  for (;;) {
    const close = text.indexOf("}", at);
    if (close < 0 || close >= end) return -1;
    const open = text.indexOf("{", at);
    if (open >= 0 && open < close) {
      depth += 1;
      at = open + 1;
    } else {
      depth -= 1;
      at = close + 1;
      if (depth === 0) return at;
    }
  }
}
