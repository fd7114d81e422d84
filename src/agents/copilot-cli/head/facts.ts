import { timeOf } from "../../../base/clock.ts";
import { asArray, asString, type JsonObject } from "../../../base/json.ts";
import { timeIn } from "../../../jsonl/text-window.ts";
import type { SessionState } from "../../../model/head.ts";
import { titleOfPrompt } from "../../../model/title.ts";
import { dataOf, isHeader, subagentOf } from "../record-types.ts";

/** What one end of the file says a head. */
export interface HeadFacts {
  header?: JsonObject;
  prompt?: string;
  model?: string;
  updatedAt?: string;
  state?: SessionState;
  /** The program was closed in order, and nothing was said since. */
  isClosed?: boolean;
}

/** Notes what a record near the start says; true once there is nothing more to learn. */
export function noteEarly(facts: HeadFacts, record: JsonObject): boolean {
  if (isHeader(record)) facts.header ??= record;
  facts.prompt ??= promptOf(record);
  return facts.prompt !== undefined;
}

/** Notes what a record near the end says, the later ones first; true once there is nothing more to learn. */
export function noteLate(facts: HeadFacts, record: JsonObject): boolean {
  facts.updatedAt ??= isoOf(record["timestamp"]);
  if (facts.state === undefined && isRoutineEnd(record)) facts.isClosed = true;
  if (subagentOf(record) === undefined) {
    facts.model ??= modelOf(record);
    facts.state ??= stateAfter(record);
  }
  return facts.state !== undefined && facts.model !== undefined;
}

/** A time of a record as heads tell it. */
export function isoOf(value: unknown): string | undefined {
  const written = timeIn(asString(value));
  if (written?.length === 24) return written;
  const ms = timeOf(value);
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

/** The first words a person typed in a record, for a title. */
function promptOf(record: JsonObject): string | undefined {
  if (record["type"] !== "user.message" || subagentOf(record) !== undefined) return undefined;
  const { content, source } = dataOf(record);
  if (source !== undefined && source !== "user") return undefined;
  return titleOfPrompt(asString(content) ?? "") || undefined;
}

function modelOf(record: JsonObject): string | undefined {
  const data = dataOf(record);
  switch (record["type"]) {
    case "assistant.message":
      return asString(data["model"]);
    case "session.model_change":
      return asString(data["newModel"]);
    case "session.start":
    case "session.resume":
      return asString(data["selectedModel"]);
    default:
      return undefined;
  }
}

function isRoutineEnd(record: JsonObject): boolean {
  return record["type"] === "session.shutdown" && dataOf(record)["shutdownType"] === "routine";
}

/** How a session stands if this is the last record that says. */
function stateAfter(record: JsonObject): SessionState | undefined {
  switch (record["type"]) {
    case "assistant.message":
      return asArray(dataOf(record)["toolRequests"]).length > 0 ? "interrupted" : "waiting";
    case "user.message":
    case "tool.execution_start":
    case "tool.execution_complete":
    case "abort":
      return "interrupted";
    default:
      return undefined;
  }
}
