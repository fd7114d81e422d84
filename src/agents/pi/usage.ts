import { hashText } from "../../base/hash.ts";
import { asString, isObject, type JsonObject } from "../../base/json.ts";
import { newline } from "../../jsonl/line.ts";
import { eachLine, lineText, standsAt } from "../../jsonl/scan-lines.ts";
import type { LineTaker } from "../../jsonl/take-rows.ts";
import { recordOf } from "../../jsonl/text-window.ts";
import { AbsurdCount, costIn, countIn, momentIn } from "../../model/usage-counts.ts";
import type { SessionFacts } from "../../model/usage-scan.ts";
import type { UsageTable } from "../../model/usage-table.ts";
import type { AgentUsage } from "../usage-contract.ts";

const header = Buffer.from('{"type":"session"');
const usageKey = Buffer.from('"usage":');

/** Counts what pi's sessions record. */
export const usage: AgentUsage = { version: 2, lines: (table) => new PiLines(table) };

/** Rows of a pi session: one for each answer, tool, summary or other request that used tokens. A fork repeats entries with their ids and times. */
class PiLines implements LineTaker {
  damaged = 0;
  absurd = 0;
  sealed = 0;
  facts: SessionFacts = {};
  readonly #table: UsageTable;

  constructor(table: UsageTable) {
    this.#table = table;
  }

  take(buffer: Buffer): void {
    if (this.facts.cwd === undefined && standsAt(buffer, header, 0)) this.#header(buffer);
    eachLine(buffer, (start, end) => {
      if (!buffer.subarray(start, end).includes(usageKey)) return;
      const entry = recordOf(lineText(buffer, start, end));
      if (entry === undefined) this.damaged += 1;
      else this.#entry(entry);
    });
  }

  #header(buffer: Buffer): void {
    const end = buffer.indexOf(newline);
    const line = lineText(buffer, 0, end < 0 ? buffer.length : end);
    const cwd = asString(recordOf(line)?.["cwd"]);
    if (cwd !== undefined) this.facts = { cwd };
  }

  #entry(entry: JsonObject): void {
    // A message records its own usage; a summary, or a request beside the conversation, that of its entry.
    const message = isObject(entry["message"]) ? entry["message"] : undefined;
    const { usage } = message ?? entry;
    if (!isObject(usage)) return;
    try {
      const tokens = {
        input: countIn(usage, "input"),
        output: countIn(usage, "output"),
        cacheRead: countIn(usage, "cacheRead"),
        cacheWrite: countIn(usage, "cacheWrite"),
        cacheWriteHour: 0,
        reasoning: countIn(usage, "reasoning"),
      };
      const id = asString(entry["id"]);
      const at = entry["timestamp"] ?? message?.["timestamp"];
      const cost = isObject(usage["cost"]) ? usage["cost"]["total"] : undefined;
      this.#table.add({
        key: id === undefined ? 0 : hashText(`${id} ${String(at)}`),
        atMs: momentIn(at),
        model: modelIn(message ?? entry),
        tokens,
        costUsd: costIn(cost),
        side: false,
      });
    } catch (error) {
      if (!(error instanceof AbsurdCount)) throw error;
      this.absurd += 1;
    }
  }
}

/** The model that answered, else the one that was asked; summaries do not say. */
function modelIn(source: JsonObject): string {
  return asString(source["responseModel"]) ?? asString(source["model"]) ?? "unknown";
}
