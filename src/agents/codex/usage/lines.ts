import { hashText } from "../../../base/hash.ts";
import { asString, isObject, type JsonObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { eachLine, lineText } from "../../../jsonl/scan-lines.ts";
import type { LineTaker } from "../../../jsonl/take-rows.ts";
import { recordOf } from "../../../jsonl/text-window.ts";
import { costIn, momentIn } from "../../../model/usage-counts.ts";
import type { SessionFacts } from "../../../model/usage-scan.ts";
import type { Tokens, UsageTable } from "../../../model/usage-table.ts";

/** Input, cached input, cache writes, output, reasoning: as Codex counts them. */
type Counts = readonly number[];

const headChars = 160;
const fields = [
  "input_tokens",
  "cached_input_tokens",
  "cache_write_input_tokens",
  "output_tokens",
  "reasoning_output_tokens",
] as const;

/**
 * Rows of a Codex rollout: what each `token_count` adds to the totals before it. Where these are not
 * known, or went back, the response's own numbers count; a repeated report adds nothing.
 */
export class CodexLines implements LineTaker {
  damaged = 0;
  absurd = 0;
  sealed = 0;
  readonly #table: UsageTable;
  #facts: SessionFacts = {};
  #isTold = false;
  #model: string;
  #before: Counts | undefined;
  /** Codex said that it knows no totals: those that follow begin anew, as after a resume in old versions. */
  #isReset: boolean;

  constructor(table: UsageTable, carry: JsonObject = {}) {
    this.#table = table;
    this.#model = asString(carry["model"]) ?? "unknown";
    this.#isReset = carry["reset"] === true;
    const before = carry["before"];
    if (Array.isArray(before) && before.length === fields.length) this.#before = before;
  }

  get facts(): SessionFacts {
    return this.#facts;
  }

  carry(): JsonObject {
    const before = this.#before;
    const reset = this.#isReset && { reset: true };
    return { model: this.#model, ...(before !== undefined && { before }), ...reset };
  }

  take(buffer: Buffer): void {
    eachLine(buffer, (start, end) => {
      // A record says its type in its first bytes.
      const head = lineText(buffer, start, Math.min(end, start + headChars));
      const at = head.indexOf('"type":"') + 8;
      if (head.startsWith("event_msg", at)) {
        if (head.includes('"token_count"', at)) {
          this.#line(lineText(buffer, start, end), this.#count);
        }
      } else if (head.startsWith("turn_context", at)) {
        this.#line(lineText(buffer, start, end), this.#context);
      } else if (head.startsWith("session_meta", at)) this.#meta(lineText(buffer, start, end));
    });
  }

  #line(text: string, use: (line: JsonObject, payload: JsonObject) => void): void {
    const line = recordOf(text);
    const payload = line?.["payload"];
    if (line === undefined || !isObject(payload)) this.damaged += 1;
    else use(line, payload);
  }

  readonly #context = (_line: JsonObject, payload: JsonObject): void => {
    this.#model = asString(payload["model"]) ?? this.#model;
  };

  readonly #count = (line: JsonObject, payload: JsonObject): void => {
    const info = payload["info"];
    if (payload["type"] !== "token_count") return;
    if (info === null) this.#isReset = true;
    if (!isObject(info)) return;
    const total = countsOf(info["total_token_usage"]);
    const last = countsOf(info["last_token_usage"]);
    if (total === "absurd" || last === "absurd") {
      this.absurd += 1;
      return;
    }
    // The last report may come again after a resume: it is not a new response.
    const isNew = this.#isReset && told(total) !== told(this.#before);
    const added = isNew ? (last ?? total) : addedTo(this.#before, total, last);
    this.#isReset = false;
    if (total !== undefined) this.#before = total;
    if (added === undefined) return;
    if (Math.max(...added) > limits.usageTokens) {
      this.absurd += 1;
      return;
    }
    const stated = `${String(line["timestamp"])} ${told(total)} ${told(last)}`;
    this.#table.add({
      // A rollout may be there twice, archived and not: a report is one moment's.
      key: hashText(stated),
      atMs: momentIn(line["timestamp"]),
      model: this.#model,
      tokens: tokensOf(added),
      costUsd: costIn(undefined),
      side: false,
    });
  };

  /** What stands before the long instructions is parsed as if they were not there. */
  #meta(text: string): void {
    // A copy of another thread's beginning follows a fork's own.
    if (this.#isTold) return;
    const cut = text.slice(0, limits.headBytes).search(/,"(?:base_)?instructions":/);
    const short = cut < 0 ? undefined : recordOf(`${text.slice(0, cut)}}}`);
    const payload = (short ?? recordOf(text))?.["payload"];
    if (!isObject(payload)) return;
    this.#isTold = asString(payload["id"]) !== undefined;
    const cwd = asString(payload["cwd"]);
    const parent = asString(payload["parent_thread_id"]) ?? spawnedBy(payload["source"]);
    const forkOf = asString(payload["forked_from_id"]);
    // A fork that names its base does not repeat it.
    const repeats = forkOf !== undefined && !text.includes('"history_base":{');
    this.#facts = {
      ...(cwd !== undefined && { cwd }),
      ...(parent !== undefined && { parent }),
      ...(repeats && { forkOf }),
    };
  }
}

/** Older versions name the parent only where they say how the thread came to be. */
function spawnedBy(source: unknown): string | undefined {
  const subagent = isObject(source) ? source["subagent"] : undefined;
  const spawn = isObject(subagent) ? subagent["thread_spawn"] : undefined;
  return isObject(spawn) ? asString(spawn["parent_thread_id"]) : undefined;
}

/** The five numbers; cumulative ones may be larger than any single message's. */
function countsOf(value: unknown): Counts | "absurd" | undefined {
  if (!isObject(value)) return undefined;
  const counts: number[] = [];
  for (const name of fields) {
    const count = value[name] ?? 0;
    if (!Number.isSafeInteger(count) || (count as number) < 0) return "absurd";
    counts.push(count as number);
  }
  return counts;
}

/** Counts as text; written out, because joining lists is slow. */
function told(counts: Counts | undefined): string {
  if (counts === undefined) return "undefined";
  const [input, cached, written, output, reasoning] = counts;
  return `${input},${cached},${written},${output},${reasoning}`;
}

function addedTo(
  before: Counts | undefined,
  total: Counts | undefined,
  last: Counts | undefined,
): Counts | undefined {
  if (total === undefined || before === undefined) return last ?? total;
  const added: number[] = [];
  let sum = 0;
  for (let index = 0; index < total.length; index += 1) {
    const more = total[index]! - before[index]!;
    if (more < 0) return last ?? total;
    added.push(more);
    sum += more;
  }
  return sum === 0 ? undefined : added;
}

/** Codex counts cached input and cache writes within the input; they are reported apart here. */
function tokensOf(counts: Counts): Tokens {
  const input = counts[0]!;
  const cacheRead = Math.min(input, counts[1]!);
  const cacheWrite = Math.min(input - cacheRead, counts[2]!);
  return {
    input: input - cacheRead - cacheWrite,
    cacheRead,
    cacheWrite,
    cacheWriteHour: 0,
    output: counts[3]!,
    reasoning: counts[4]!,
  };
}
