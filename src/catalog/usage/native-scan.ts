import { asString, isObject, type JsonObject } from "../../base/json.ts";
import { textKey } from "../../base/text-key.ts";
import { newline } from "../../jsonl/line.ts";
import { recordOf } from "../../jsonl/text-window.ts";
import { AbsurdCount, costIn, countIn, momentIn } from "./counts.ts";
import type { LineTaker } from "./scan-file.ts";
import { eachLine, KeySearch, lineText } from "./scan-lines.ts";
import type { SessionFacts } from "./source.ts";
import type { UsageTable } from "./table.ts";

const usageKey = Buffer.from('"usage":');

/**
 * Rows of a session of our own store. The events of one message repeat its usage; what is older than the
 * session itself was brought in from another one, which counts it.
 */
export class NativeLines implements LineTaker {
  damaged = 0;
  absurd = 0;
  sealed = 0;
  facts: SessionFacts = {};
  readonly #table: UsageTable;
  #begunMs: number;
  #session: string;

  constructor(table: UsageTable, carry: JsonObject = {}) {
    this.#table = table;
    this.#begunMs = typeof carry["begunMs"] === "number" ? carry["begunMs"] : Number.NaN;
    this.#session = asString(carry["session"]) ?? "";
  }

  carry(): JsonObject {
    const begunMs = this.#begunMs;
    return { session: this.#session, ...(!Number.isNaN(begunMs) && { begunMs }) };
  }

  take(buffer: Buffer): void {
    if (this.#session === "") this.#start(buffer);
    const usages = new KeySearch(buffer, usageKey);
    eachLine(buffer, (start, end) => {
      if (usages.within(start, end) < 0) return;
      const event = recordOf(lineText(buffer, start, end));
      if (event === undefined) this.damaged += 1;
      else this.#event(event);
    });
  }

  #start(buffer: Buffer): void {
    const end = buffer.indexOf(newline);
    const start = recordOf(lineText(buffer, 0, end < 0 ? buffer.length : end));
    if (start?.["type"] !== "session_start") return;
    this.#session = asString(start["session"]) ?? "";
    this.#begunMs = momentIn(start["at"]);
    if (start["seal"] !== undefined) this.sealed = 1;
    const cwd = asString(start["cwd"]);
    if (cwd !== undefined) this.facts = { cwd };
  }

  #event(event: JsonObject): void {
    const usage = event["usage"];
    if (!isObject(usage) || event["synthetic"] === true) return;
    const atMs = momentIn(event["at"]);
    if (atMs < this.#begunMs) return;
    try {
      const message = asString(event["message"]);
      this.#table.add({
        key: message === undefined ? 0 : textKey(`${this.#session} ${message}`),
        atMs,
        model: asString(event["model"]) ?? "unknown",
        tokens: {
          input: countIn(usage, "input"),
          output: countIn(usage, "output"),
          cacheRead: countIn(usage, "cacheRead"),
          cacheWrite: countIn(usage, "cacheWrite"),
          cacheWriteHour: 0,
          reasoning: countIn(usage, "reasoning"),
        },
        costUsd: costIn(usage["cost"]),
        side: false,
      });
    } catch (error) {
      if (!(error instanceof AbsurdCount)) throw error;
      this.absurd += 1;
    }
  }
}
