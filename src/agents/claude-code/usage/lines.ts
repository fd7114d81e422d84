import { hashText } from "../../../base/hash.ts";
import { asArray, asString, isObject, type JsonObject } from "../../../base/json.ts";
import { eachLine, KeySearch, lineText, standsAt } from "../../../jsonl/scan-lines.ts";
import type { LineTaker } from "../../../jsonl/take-rows.ts";
import { recordOf } from "../../../jsonl/text-window.ts";
import {
  AbsurdCount,
  CountReader,
  costIn,
  countIn,
  momentIn,
} from "../../../model/usage-counts.ts";
import type { SessionFacts } from "../../../model/usage-scan.ts";
import type { Tokens, UsageTable } from "../../../model/usage-table.ts";
import { syntheticModel } from "../record-types.ts";

const messageKey = '"message":{';
const messageBytes = Buffer.from(messageKey);
const userRole = Buffer.from('"role":"user"');
const usageKey = '"usage":';
const usageBytes = Buffer.from(usageKey);
const sideKey = '"isSidechain":';
const contentKey = '"content":';
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
  readonly #isChild: boolean;
  #facts: SessionFacts = {};
  /** The message before, as bytes: most records repeat it. */
  #last: ClaudeLast | undefined;

  /** Of a subagent's file beside its session the records name that session. */
  constructor(table: UsageTable, { isChild }: { readonly isChild: boolean }) {
    this.#table = table;
    this.#isChild = isChild;
  }

  get facts(): SessionFacts {
    return this.#facts;
  }

  take(buffer: Buffer): void {
    const messages = new KeySearch(buffer, messageBytes);
    const usages = new KeySearch(buffer, usageBytes);
    eachLine(buffer, (start, end) => {
      // Prompts and results are most of the bytes, and have no usage.
      const message = messages.within(start, end);
      if (message >= 0 && standsAt(buffer, userRole, message + messageBytes.length)) return;
      const usage = usages.within(message < 0 ? start : message, end);
      if (usage >= 0) this.#line(buffer, { start, end, message, usage });
    });
  }

  #line(buffer: Buffer, line: Line): void {
    if (this.#repeats(buffer, line)) return;
    const parts = partsOf(buffer, line);
    if (parts !== undefined && this.#flat(parts)) return;
    const record = recordOf(lineText(buffer, line.start, line.end));
    if (record === undefined) this.damaged += 1;
    else this.#record(record);
    this.#last = undefined;
  }

  /** Whether a record has the ids and the usage of the one before it, byte by byte. */
  #repeats(buffer: Buffer, { message, usage, end }: Line): boolean {
    const last = this.#last;
    if (last === undefined || message < 0) return false;
    const [from, at] = [message + messageKey.length - 1, usage + usageKey.length];
    const after = at + last.usage.length;
    return (
      lineText(buffer, from, from + last.message.length) === last.message &&
      lineText(buffer, at, after) === last.usage &&
      lineText(buffer, after, end).includes(last.request)
    );
  }

  /** Takes a row out of the parts of a line, nothing parsed; false if that cannot be done. */
  #flat({ before, message, usage, after }: Parts): boolean {
    const tokens = flatTokens(usage);
    const timestamp = flat(after, '"timestamp":"') ?? flat(before, '"timestamp":"');
    const id = flat(message, '"id":"');
    if (tokens === undefined || timestamp === undefined || id === undefined) return false;
    if (message.includes(syntheticModel)) return false;
    if (after.includes('"costUSD"') || before.includes('"costUSD"')) return false;
    const request = flat(after, '"requestId":"') ?? flat(before, '"requestId":"') ?? "";
    const fast = usage.includes('"speed":"fast"') ? "-fast" : "";
    if (!this.#knows) {
      this.#learn(
        flat(after, '"cwd":"') ?? flat(before, '"cwd":"'),
        flat(after, '"sessionId":"') ?? flat(before, '"sessionId":"'),
      );
    }
    this.#table.add({
      key: hashText(`${id} ${request}`),
      atMs: momentIn(timestamp),
      model: `${flat(message, '"model":"') ?? "unknown"}${fast}`,
      tokens,
      costUsd: Number.NaN,
      side: (before.includes(sideKey) ? before : after).includes(`${sideKey}true`),
    });
    this.#last = request === "" ? undefined : { usage, message, request: `"${request}"` };
    return true;
  }

  get #knows(): boolean {
    const { cwd, parent } = this.#facts;
    return cwd !== undefined && (parent !== undefined || !this.#isChild);
  }

  /** Keeps what the first records say of the session. */
  #learn(cwd: string | undefined, session: string | undefined): void {
    this.#facts = {
      ...(cwd !== undefined && { cwd }),
      ...(session !== undefined && this.#isChild && { parent: session }),
      ...this.#facts,
    };
  }

  #record(record: JsonObject): void {
    const message = record["message"];
    if (isObject(message) && isObject(message["usage"])) this.#message(record, message);
    // While a subagent works, its records are reported in those of its parent as well.
    const told = isObject(record["data"]) ? record["data"]["message"] : undefined;
    if (isObject(told) && isObject(told["message"])) this.#message(told, told["message"]);
  }

  #message(record: JsonObject, message: JsonObject): void {
    const usage = message["usage"];
    if (!isObject(usage)) return;
    this.#learn(asString(record["cwd"]), asString(record["sessionId"]));
    const id = asString(message["id"]);
    const request = asString(record["requestId"]) ?? "";
    const fast = usage["speed"] === "fast" ? "-fast" : "";
    const rest = {
      atMs: momentIn(record["timestamp"]),
      costUsd: costIn(record["costUSD"]),
      side: record["isSidechain"] === true,
    };
    try {
      const key = id === undefined ? 0 : hashText(`${id} ${request}`);
      const model = `${asString(message["model"]) ?? "unknown"}${fast}`;
      const tokens = tokensOf(usage);
      if (model === syntheticModel) {
        // No model was asked: mostly it took nothing, and it never cost anything.
        if (tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite === 0) return;
        this.#table.add({ key, model, tokens, ...rest, costUsd: Number.NaN });
        return;
      }
      this.#table.add({ key, model, tokens, ...rest });
      for (const [index, step] of asArray(usage["iterations"]).entries()) {
        // A second model that was asked for advice is not in the message's own numbers.
        if (!isObject(step) || step["type"] !== "advisor_message") continue;
        const adviser = asString(step["model"]) ?? "unknown";
        const stepKey = key === 0 ? 0 : hashText(`${id} ${request} ${index}`);
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

/** The same without a parser; undefined if a number is none, or steps are reported one by one. */
function flatTokens(usage: string): Tokens | undefined {
  const counts = new CountReader(usage);
  const input = counts.after('"input_tokens":');
  const written = counts.after('"cache_creation_input_tokens":');
  const cacheRead = counts.after('"cache_read_input_tokens":');
  const output = counts.after('"output_tokens":');
  const reasoning = counts.after('"thinking_tokens":');
  const cacheWriteHour = counts.after('"ephemeral_1h_input_tokens":');
  const minutes = counts.after('"ephemeral_5m_input_tokens":');
  if (counts.isDoubtful || usage.includes("[{")) return undefined;
  const cacheWrite = Math.max(written, minutes + cacheWriteHour) - cacheWriteHour;
  return { input, output, cacheRead, cacheWrite, cacheWriteHour, reasoning };
}

/** A line with usage: its bounds, where its message begins (-1 where it has none), where the usage is. */
interface Line {
  readonly start: number;
  readonly end: number;
  readonly message: number;
  readonly usage: number;
}

/** What a line consists of besides the content of its message. */
interface Parts {
  /** The record's fields before its message. */
  readonly before: string;
  /** The message's fields before its content. */
  readonly message: string;
  /** The object. */
  readonly usage: string;
  /** What stands behind it. */
  readonly after: string;
}

/**
 * The parts of a line as the program writes it: no object stands before the message's content besides the
 * message, and none behind the usage, so a key there is the record's or the message's own. Undefined where
 * a line is not like that.
 */
function partsOf(buffer: Buffer, { start, end, message, usage }: Line): Parts | undefined {
  if (message < 0) return undefined;
  const opened = message - start + messageKey.length - 1;
  const head = lineText(buffer, start, Math.min(usage, start + opened + headChars));
  const content = head.indexOf(contentKey, opened);
  if (content < 0 || head.indexOf("{", 1) !== opened) return undefined;
  const inner = head.indexOf("{", opened + 1);
  if (inner >= 0 && inner < content) return undefined;
  const tail = lineText(buffer, usage + usageKey.length, end);
  const usageEnd = objectEnd(tail);
  const after = tail.slice(usageEnd);
  if (usageEnd < 0 || after.includes("{") || !after.endsWith("}")) return undefined;
  return {
    before: head.slice(0, opened),
    message: head.slice(opened, content),
    usage: tail.slice(0, usageEnd),
    after,
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

interface ClaudeLast {
  readonly usage: string;
  readonly message: string;
  readonly request: string;
}

/** Where the object that a text begins with ends, -1 where it does not or where texts in it hold braces. */
function objectEnd(text: string): number {
  let depth = 0;
  let at = 0;
  for (;;) {
    const close = text.indexOf("}", at);
    if (close < 0) return -1;
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
