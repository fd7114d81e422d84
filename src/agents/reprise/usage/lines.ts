import { hashText } from "../../../base/hash.ts";
import { asNumber, asString, isObject, type JsonObject } from "../../../base/json.ts";
import { newline } from "../../../jsonl/line.ts";
import { eachLine, KeySearch, lineText } from "../../../jsonl/scan-lines.ts";
import type { LineTaker } from "../../../jsonl/take-rows.ts";
import { recordOf } from "../../../jsonl/text-window.ts";
import { AbsurdCount, costIn, countIn, momentIn } from "../../../model/usage-counts.ts";
import type { Import, SessionFacts } from "../../../model/usage-scan.ts";
import { importedFlag, type UsageTable } from "../../../model/usage-table.ts";
import { ownAgent } from "../../../store/own-agent.ts";

const usageKey = Buffer.from('"usage":');

/**
 * Rows of a session of our own store. The events of one message repeat its usage. What was brought in from
 * another session is marked, and told apart as that session's: however often it was brought in, it counts once.
 */
export class NativeLines implements LineTaker {
  damaged = 0;
  absurd = 0;
  sealed = 0;
  facts: SessionFacts = {};
  readonly #table: UsageTable;
  readonly #imported: Import | undefined;
  #session: string;

  constructor(
    table: UsageTable,
    known: { readonly carry?: JsonObject | undefined; readonly imported?: Import | undefined } = {},
  ) {
    this.#table = table;
    this.#session = asString(known.carry?.["session"]) ?? "";
    this.#imported = known.imported;
    if (known.imported !== undefined) this.facts = { imported: known.imported };
  }

  carry(): JsonObject {
    return { session: this.#session };
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
    if (start["seal"] !== undefined) this.sealed = 1;
    const cwd = asString(start["cwd"]);
    if (cwd !== undefined) this.facts = { ...this.facts, cwd };
  }

  #event(event: JsonObject): void {
    const usage = event["usage"];
    if (!isObject(usage) || event["synthetic"] === true) return;
    const id = asNumber(event["id"]);
    const imported =
      id !== undefined && id <= (this.#imported?.last ?? 0) ? this.#imported : undefined;
    try {
      this.#table.add({
        key: imported === undefined ? this.#key(event) : importedKey(event, imported),
        atMs: momentIn(event["at"]),
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
      if (imported !== undefined) this.#table.flags[this.#table.length - 1]! |= importedFlag;
    } catch (error) {
      if (!(error instanceof AbsurdCount)) throw error;
      this.absurd += 1;
    }
  }

  #key(event: JsonObject): number {
    const message = asString(event["message"]);
    return message === undefined ? 0 : hashText(`${this.#session} ${message}`);
  }
}

/** As its source would tell it, where that is a session of our own; without a message its moment and numbers tell. */
function importedKey(event: JsonObject, { agent, session }: Import): number {
  const message =
    asString(event["message"]) ?? `${String(event["at"])} ${JSON.stringify(event["usage"])}`;
  return hashText(`${agent === ownAgent ? "" : `${agent}:`}${session} ${message}`);
}
