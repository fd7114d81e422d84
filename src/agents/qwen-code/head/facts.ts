import { timeOf } from "../../../base/clock.ts";
import { asString, isObject, type JsonObject } from "../../../base/json.ts";
import { timeIn } from "../../../jsonl/text-window.ts";
import type { SessionState } from "../../../model/head.ts";
import { titleOfPrompt } from "../../../model/title.ts";
import { partsOf } from "../../gemini-parts.ts";
import { acceptsRecord, isOfChain, payloadOf } from "../record-types.ts";
import { isTyped, typedParts } from "../typed-text.ts";

/** What one end of the file says a head. */
export interface HeadFacts {
  /** The first record of the session. */
  first?: JsonObject;
  prompt?: string;
  /** The session that started this one. */
  parent?: string;
  model?: string;
  updatedAt?: string;
  state?: SessionState;
}

/** Notes what a record near the start says; true once there is nothing more to learn. */
export function noteEarly(facts: HeadFacts, record: JsonObject): boolean {
  if (!acceptsRecord(record)) return false;
  facts.first ??= record;
  if (record["subtype"] === "parent_session") {
    const parent = asString(payloadOf(record)["parentSessionId"]);
    if (parent !== undefined) facts.parent ??= parent;
  }
  const prompt = promptOf(record);
  if (prompt !== undefined) facts.prompt ??= prompt;
  return facts.prompt !== undefined;
}

/** Notes what a record near the end says, the later ones first; true once there is nothing more to learn. */
export function noteLate(facts: HeadFacts, record: JsonObject): boolean {
  const at = isoOf(record["timestamp"]);
  if (at !== undefined) facts.updatedAt ??= at;
  if (isOfChain(record)) {
    const model = record["type"] === "assistant" ? asString(record["model"]) : undefined;
    if (model !== undefined) facts.model ??= model;
    const state = stateAfter(record);
    if (state !== undefined) facts.state ??= state;
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
  if (record["type"] !== "user" || !isTyped(record) || !isObject(record["message"]))
    return undefined;
  for (const part of typedParts(partsOf(record["message"]["parts"])).typed) {
    const title = titleOfPrompt(asString(part["text"]) ?? "");
    if (title !== "") return title;
  }
  return undefined;
}

/** How a session stands if this is the last record that says. */
function stateAfter(record: JsonObject): SessionState | undefined {
  switch (record["type"]) {
    case "assistant": {
      const parts = isObject(record["message"]) ? partsOf(record["message"]["parts"]) : [];
      return parts.some((part) => isObject(part["functionCall"])) ? "interrupted" : "waiting";
    }
    case "user":
    case "tool_result":
      return "interrupted";
    default:
      return undefined;
  }
}
