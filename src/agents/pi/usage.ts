import { hashText } from "../../base/hash.ts";
import { asString, isObject, type JsonObject } from "../../base/json.ts";
import { newline } from "../../jsonl/line.ts";
import { eachLine, KeySearch, lineText, standsAt } from "../../jsonl/scan-lines.ts";
import type { LineTaker } from "../../jsonl/take-rows.ts";
import { recordOf } from "../../jsonl/text-window.ts";
import { AbsurdCount, costIn, countIn, momentIn } from "../../model/usage-counts.ts";
import type { SessionFacts } from "../../model/usage-scan.ts";
import type { UsageTable } from "../../model/usage-table.ts";
import type { AgentUsage } from "../usage-contract.ts";

const header = Buffer.from('{"type":"session"');
const messageKey = Buffer.from('"message":{"role":"');
const assistant = Buffer.from("assistant");
const usageKey = Buffer.from('"usage":');

/** Counts what pi's sessions record. */
export const usage: AgentUsage = { version: 1, lines: (table) => new PiLines(table) };

/** Rows of a pi session: one for each assistant message. A fork repeats entries with their ids and times. */
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
    const messages = new KeySearch(buffer, messageKey);
    if (this.facts.cwd === undefined && standsAt(buffer, header, 0)) this.#header(buffer);
    eachLine(buffer, (start, end) => {
      // Results are most of the bytes, and have no usage.
      const message = messages.within(start, end);
      if (message >= 0 && !standsAt(buffer, assistant, message + messageKey.length)) return;
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
    const message = entry["message"];
    if (entry["type"] !== "message" || !isObject(message)) return;
    const usage = message["usage"];
    if (message["role"] !== "assistant" || !isObject(usage)) return;
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
      const at = entry["timestamp"] ?? message["timestamp"];
      const cost = isObject(usage["cost"]) ? usage["cost"]["total"] : undefined;
      this.#table.add({
        key: id === undefined ? 0 : hashText(`${id} ${String(at)}`),
        atMs: momentIn(at),
        model: asString(message["model"]) ?? "unknown",
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
