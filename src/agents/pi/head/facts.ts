import { timeOf } from "../../../base/clock.ts";
import { asString, isObject, type JsonObject } from "../../../base/json.ts";
import { parseLine } from "../../../jsonl/parse-line.ts";
import type { Salvaged } from "../../../jsonl/salvage.ts";
import { recordOf, timeIn } from "../../../jsonl/text-window.ts";
import type { SessionState } from "../../../model/head.ts";
import { promptOf } from "../read/bodies.ts";
import { acceptsRecord } from "../record-types.ts";

/** What one end of the file says a head. */
export interface HeadFacts {
  header?: JsonObject;
  /** Whether the first record is a header, as pi demands. */
  sound?: boolean;
  prompt?: string;
  /** The last name; null where it was cleared. */
  name?: string | null;
  model?: string;
  updatedAt?: string;
  state?: SessionState;
}

/** The records of a line of a window, as a reader of the file would find them. */
export function recordsIn(line: string): Salvaged {
  const record = line === "" || line === "\n" ? undefined : recordOf(line);
  if (record !== undefined) return { records: [record] };
  return line.trim() === ""
    ? { records: [] }
    : parseLine(Buffer.from(line, "latin1"), acceptsRecord);
}

/** Notes what a record says; seen backwards the first word counts, seen forwards the last. */
export function note(
  facts: HeadFacts,
  record: JsonObject,
  order: { readonly newest: boolean },
): void {
  const at = isoOf(record["timestamp"]);
  if (at !== undefined) facts.updatedAt ??= at;
  const { type } = record;
  if (type === "session_info" && (order.newest || facts.name === undefined)) {
    facts.name = asString(record["name"])?.trim() || null;
  }
  const message = isObject(record["message"]) ? record["message"] : undefined;
  const model =
    type === "model_change"
      ? asString(record["modelId"])
      : type === "message" && message?.["role"] === "assistant"
        ? asString(message["model"])
        : undefined;
  if (model !== undefined && (order.newest || facts.model === undefined)) facts.model = model;
  if (type === "message" && message !== undefined) facts.state ??= stateOf(message);
  const prompt = order.newest ? promptOf(record) : undefined;
  if (prompt !== undefined) facts.prompt ??= prompt;
}

/** How the session was left, by its last message. */
function stateOf(message: JsonObject): SessionState {
  if (message["role"] === "bashExecution" || message["role"] === "custom") return "waiting";
  if (message["role"] !== "assistant") return "interrupted";
  const stop = message["stopReason"];
  return stop === "toolUse" || stop === "error" || stop === "aborted" ? "interrupted" : "waiting";
}

/** A time of a record as heads tell it. */
export function isoOf(value: unknown): string | undefined {
  const written = timeIn(asString(value));
  if (written?.length === 24) return written;
  const ms = timeOf(value);
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
