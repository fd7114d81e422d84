import { hashText } from "../../../base/hash.ts";
import { asString, isObject, type JsonObject } from "../../../base/json.ts";
import { eachLine, KeySearch, lineText } from "../../../jsonl/scan-lines.ts";
import type { LineTaker } from "../../../jsonl/take-rows.ts";
import { recordOf } from "../../../jsonl/text-window.ts";
import { AbsurdCount, countIn, momentIn } from "../../../model/usage-counts.ts";
import type { SessionFacts } from "../../../model/usage-scan.ts";
import type { UsageTable } from "../../../model/usage-table.ts";
import { subagentOf } from "../record-types.ts";
import { usageOf } from "../token-usage.ts";

const usageKey = Buffer.from('"usageMetadata":');
const counts = [
  "promptTokenCount",
  "candidatesTokenCount",
  "thoughtsTokenCount",
  "totalTokenCount",
  "cachedContentTokenCount",
];

/** Rows of a Qwen Code session: the tokens of each answer. A fork copies records under their own ids. */
export class QwenCodeLines implements LineTaker {
  damaged = 0;
  absurd = 0;
  sealed = 0;
  facts: SessionFacts = {};
  readonly #table: UsageTable;

  constructor(table: UsageTable) {
    this.#table = table;
  }

  take(buffer: Buffer): void {
    const stated = new KeySearch(buffer, usageKey);
    eachLine(buffer, (start, end) => {
      if (stated.within(start, end) < 0) return;
      const record = recordOf(lineText(buffer, start, end));
      if (record === undefined) this.damaged += 1;
      else if (record["type"] === "assistant") this.#answer(record);
    });
  }

  #answer(record: JsonObject): void {
    const stated = record["usageMetadata"];
    if (!isObject(stated)) return;
    const cwd = asString(record["cwd"]);
    if (cwd !== undefined && this.facts.cwd === undefined) this.facts = { cwd };
    try {
      for (const name of counts) countIn(stated, name);
      const { input = 0, output = 0, cacheRead = 0, reasoning = 0 } = usageOf(stated);
      const id = asString(record["uuid"]);
      this.#table.add({
        key: id === undefined ? 0 : hashText(`${id} ${String(record["timestamp"])}`),
        atMs: momentIn(record["timestamp"]),
        model: asString(record["model"]) ?? "unknown",
        tokens: { input, output, cacheRead, cacheWrite: 0, cacheWriteHour: 0, reasoning },
        costUsd: Number.NaN,
        side: subagentOf(record) !== undefined,
      });
    } catch (error) {
      if (!(error instanceof AbsurdCount)) throw error;
      this.absurd += 1;
    }
  }
}
