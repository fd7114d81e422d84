import { hashText } from "../../../base/hash.ts";
import { asCount, asString, isObject, type JsonObject } from "../../../base/json.ts";
import { eachLine, lineText } from "../../../jsonl/scan-lines.ts";
import type { LineTaker } from "../../../jsonl/take-rows.ts";
import { recordOf } from "../../../jsonl/text-window.ts";
import { AbsurdCount, countIn, momentIn } from "../../../model/usage-counts.ts";
import type { SessionFacts } from "../../../model/usage-scan.ts";
import type { UsageTable } from "../../../model/usage-table.ts";
import { contextOf } from "../read/context.ts";
import { dataOf, subagentOf } from "../record-types.ts";

const telling = [
  "session.start",
  "session.usage_record",
  "session.compaction_complete",
  "assistant.message",
  "session.shutdown",
];
const tokens = telling.map((type) => Buffer.from(`"type":"${type}"`));

/**
 * Rows of a Copilot CLI session. Newer versions record every request; older ones what each answer's output was, and
 * the totals of a run when it ends: then the totals bring what the answers did not state.
 */
export class CopilotLines implements LineTaker {
  damaged = 0;
  absurd = 0;
  sealed = 0;
  facts: SessionFacts = {};
  readonly #table: UsageTable;
  /** Requests are recorded one by one: what else is stated repeats them. */
  #exact: boolean;
  /** By model: the output that answers stated since the last totals. */
  readonly #stated: Map<string, number>;

  constructor(table: UsageTable, carry: JsonObject | undefined) {
    this.#table = table;
    this.#exact = carry?.["exact"] === true;
    const stated = isObject(carry?.["stated"]) ? Object.entries(carry["stated"]) : [];
    this.#stated = new Map(stated.map(([model, count]) => [model, asCount(count) ?? 0]));
  }

  carry(): JsonObject {
    return { exact: this.#exact, stated: Object.fromEntries(this.#stated) };
  }

  take(buffer: Buffer): void {
    eachLine(buffer, (start, end) => {
      const line = buffer.subarray(start, end);
      if (!tokens.some((token) => line.includes(token))) return;
      const record = recordOf(lineText(buffer, start, end));
      if (record === undefined) this.damaged += 1;
      else this.#record(record);
    });
  }

  #record(record: JsonObject): void {
    const data = dataOf(record);
    switch (record["type"]) {
      case "session.start": {
        const { cwd } = contextOf(data);
        if (cwd !== undefined && this.facts.cwd === undefined) this.facts = { ...this.facts, cwd };
        return;
      }
      case "session.usage_record":
        this.#exact = true;
        if (isObject(data["usage"]))
          this.#row(record, data["usage"], asString(data["usage"]["model"]));
        return;
      case "session.compaction_complete": {
        // A summary's request is recorded with it alone; the totals of older versions hold it.
        const used = data["compactionTokensUsed"];
        if (this.#exact && isObject(used)) this.#row(record, used, asString(used["model"]));
        return;
      }
      case "assistant.message":
        if (!this.#exact) this.#answer(record, data);
        return;
      case "session.shutdown":
        if (!this.#exact) this.#totals(record, data);
        this.#stated.clear();
    }
  }

  #answer(record: JsonObject, data: JsonObject): void {
    const model = asString(data["model"]) ?? "unknown";
    const output = asCount(data["outputTokens"]);
    if (output === undefined) return;
    this.#stated.set(model, (this.#stated.get(model) ?? 0) + output);
    this.#row(record, { outputTokens: output }, model);
  }

  #totals(record: JsonObject, data: JsonObject): void {
    const metrics = isObject(data["modelMetrics"]) ? data["modelMetrics"] : {};
    for (const [model, of] of Object.entries(metrics)) {
      if (!isObject(of) || !isObject(of["usage"])) continue;
      const all = asCount(of["usage"]["outputTokens"]) ?? 0;
      const outputTokens = Math.max(0, all - (this.#stated.get(model) ?? 0));
      this.#row(record, { ...of["usage"], outputTokens }, model);
    }
  }

  #row(record: JsonObject, stated: JsonObject, model = "unknown"): void {
    try {
      const cacheRead = countIn(stated, "cacheReadTokens");
      const cacheWrite = countIn(stated, "cacheWriteTokens");
      const id = asString(record["id"]);
      this.#table.add({
        key: id === undefined ? 0 : hashText(`${id} ${model}`),
        atMs: momentIn(record["timestamp"]),
        model,
        tokens: {
          // The input counts what was read from the cache and written to it.
          input: Math.max(0, countIn(stated, "inputTokens") - cacheRead - cacheWrite),
          output: countIn(stated, "outputTokens"),
          cacheRead,
          cacheWrite,
          cacheWriteHour: 0,
          reasoning: countIn(stated, "reasoningTokens"),
        },
        costUsd: Number.NaN,
        side: subagentOf(record) !== undefined,
      });
    } catch (error) {
      if (!(error instanceof AbsurdCount)) throw error;
      this.absurd += 1;
    }
  }
}
