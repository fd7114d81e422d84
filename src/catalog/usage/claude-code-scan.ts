import { asArray, asString, isObject, type JsonObject, parseObject } from "../../base/json.ts";
import { AbsurdCount, costIn, countIn, momentIn } from "./counts.ts";
import type { LineTaker } from "./scan-file.ts";
import { linesWith } from "./scan-lines.ts";
import type { SessionFacts } from "./source.ts";
import { keyOf, type Tokens, type UsageTable } from "./table.ts";

const needle = Buffer.from('"usage":');
const content = Buffer.from('"content":');
/** Lines up to this length are parsed whole: cutting them costs as much. */
const shortLine = 4096;

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
  #last: { readonly usage: Buffer; readonly id: Buffer; readonly request: Buffer } | undefined;

  constructor(table: UsageTable) {
    this.#table = table;
  }

  get facts(): SessionFacts {
    return this.#facts;
  }

  take(buffer: Buffer): void {
    linesWith(buffer, needle, (start, end, at) => {
      if (this.#repeats(buffer, { start, end, at })) return;
      const record = recordIn(buffer, { start, end, at });
      if (record === undefined) {
        this.damaged += 1;
        return;
      }
      this.#record(record);
      this.#last = lastOf(record, buffer.subarray(at, end));
    });
  }

  /** Whether a record has the ids and the usage of the one before it, byte by byte. */
  #repeats(
    buffer: Buffer,
    line: { readonly start: number; readonly end: number; readonly at: number },
  ): boolean {
    const last = this.#last;
    if (last === undefined) return false;
    const { usage, id, request } = last;
    if (line.at + usage.length > line.end) return false;
    if (buffer.compare(usage, 0, usage.length, line.at, line.at + usage.length) !== 0) return false;
    const ids = buffer.indexOf(id, line.start);
    if (ids < 0 || ids > line.at) return false;
    const requests = buffer.indexOf(request, line.at);
    return requests >= 0 && requests < line.end;
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

/** A record with usage: parsed whole where it is short, else without its content. */
function recordIn(
  buffer: Buffer,
  line: { readonly start: number; readonly end: number; readonly at: number },
): JsonObject | undefined {
  const { start, end, at } = line;
  if (end - start > shortLine) {
    const cut = buffer.indexOf(content, start);
    if (cut > start && cut < at) {
      // Both ends are parsed as they are: the message must be open where its content begins, and the
      // message and the record must close behind the usage.
      const head = parseObject(`${buffer.toString("utf8", start, cut)}"content":0}}`);
      const tail = parseObject(`{"message":{${buffer.toString("utf8", at, end)}`);
      if (isObject(head?.["message"]) && isObject(tail?.["message"])) {
        const message = { ...head["message"], ...tail["message"] };
        return { ...head, ...tail, message };
      }
    }
  }
  return parseObject(buffer.toString("utf8", start, end));
}

function lastOf(record: JsonObject, tail: Buffer): ClaudeLast | undefined {
  const message = record["message"];
  const id = isObject(message) ? asString(message["id"]) : undefined;
  const request = asString(record["requestId"]);
  const end = objectEnd(tail);
  if (id === undefined || request === undefined || end === undefined) return undefined;
  return {
    // Copied: the buffer is filled again with what comes next.
    usage: Buffer.from(tail.subarray(0, end)),
    id: Buffer.from(`"id":${JSON.stringify(id)}`),
    request: Buffer.from(`"requestId":${JSON.stringify(request)}`),
  };
}

type ClaudeLast = { readonly usage: Buffer; readonly id: Buffer; readonly request: Buffer };

const [openBrace, closeBrace, quote, backslash] = [0x7b, 0x7d, 0x22, 0x5c];

/** Where the first object in the bytes ends. */
function objectEnd(bytes: Buffer): number | undefined {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (inString) {
      if (byte === backslash) index += 1;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === openBrace) depth += 1;
    else if (byte === closeBrace) {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return undefined;
}
