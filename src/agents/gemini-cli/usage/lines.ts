import { hashText } from "../../../base/hash.ts";
import { asArray, asString, isObject, type JsonObject } from "../../../base/json.ts";
import { newline } from "../../../jsonl/line.ts";
import { eachLine, KeySearch, lineText, standsAt } from "../../../jsonl/scan-lines.ts";
import type { LineTaker } from "../../../jsonl/take-rows.ts";
import { recordOf } from "../../../jsonl/text-window.ts";
import { AbsurdCount, countIn, momentIn } from "../../../model/usage-counts.ts";
import type { SessionFacts } from "../../../model/usage-scan.ts";
import type { UsageTable } from "../../../model/usage-table.ts";

const header = Buffer.from('{"sessionId":');
const tokensKey = Buffer.from('"tokens":');

/**
 * Rows of a Gemini CLI session: the tokens of each answer. Messages are written again as they grow and
 * when a conversation is compressed; their id says the copies.
 */
export class GeminiCliLines implements LineTaker {
  damaged = 0;
  absurd = 0;
  sealed = 0;
  facts: SessionFacts = {};
  readonly #table: UsageTable;

  constructor(table: UsageTable) {
    this.#table = table;
  }

  take(buffer: Buffer): void {
    if (this.facts.session === undefined && standsAt(buffer, header, 0)) this.#header(buffer);
    const tokens = new KeySearch(buffer, tokensKey);
    eachLine(buffer, (start, end) => {
      if (tokens.within(start, end) < 0) return;
      const record = recordOf(lineText(buffer, start, end));
      if (record === undefined) this.damaged += 1;
      else this.record(record);
    });
  }

  /** A line of the newer files, or the whole of an older one. */
  record(record: JsonObject): void {
    this.#name(record);
    const set = isObject(record["$set"]) ? record["$set"] : record;
    this.#message(record);
    for (const message of asArray(set["messages"])) if (isObject(message)) this.#message(message);
  }

  #header(buffer: Buffer): void {
    const end = buffer.indexOf(newline);
    const line = lineText(buffer, 0, end < 0 ? buffer.length : end);
    this.#name(recordOf(line) ?? {});
  }

  #name(record: JsonObject): void {
    const session = asString(record["sessionId"]);
    if (session !== undefined && this.facts.session === undefined) this.facts = { session };
  }

  #message(message: JsonObject): void {
    const tokens = message["tokens"];
    if (message["type"] !== "gemini" || !isObject(tokens)) return;
    try {
      const cacheRead = countIn(tokens, "cached");
      const reasoning = countIn(tokens, "thoughts");
      const id = asString(message["id"]);
      const at = message["timestamp"];
      this.#table.add({
        key: id === undefined ? 0 : hashText(`${id} ${String(at)}`),
        atMs: momentIn(at),
        model: asString(message["model"]) ?? "unknown",
        tokens: {
          // Cached input is within the input, thoughts are beside the output and priced as such.
          input: Math.max(0, countIn(tokens, "input") - cacheRead) + countIn(tokens, "tool"),
          output: countIn(tokens, "output") + reasoning,
          cacheRead,
          cacheWrite: 0,
          cacheWriteHour: 0,
          reasoning,
        },
        costUsd: Number.NaN,
        side: false,
      });
    } catch (error) {
      if (!(error instanceof AbsurdCount)) throw error;
      this.absurd += 1;
    }
  }
}
