import { asString, isObject, type JsonObject } from "../../base/json.ts";

/** The agent's name everywhere. */
export const agentName = "claude-code";

/** Records that are threaded by `uuid` and `parentUuid`. */
export const chainTypes: ReadonlySet<string> = new Set([
  "user",
  "assistant",
  "system",
  "attachment",
]);

/** The program's own log of requests: large, repeated, and never replayed. It becomes no events. */
export function isRequestLog(type: string): boolean {
  return type.startsWith("api-request");
}

/** Records that name the session, the strongest name first. */
export const titleTypes = ["custom-title", "ai-title", "summary", "agent-name"] as const;

export type TitleType = (typeof titleTypes)[number];

/** Whether a record's type is one of those that name the session. */
export function isTitleType(type: string): type is TitleType {
  return (titleTypes as readonly string[]).includes(type);
}

const metadataTypes: ReadonlySet<string> = new Set([
  ...titleTypes,
  "last-prompt",
  "mode",
  "permission-mode",
  "queue-operation",
  "tools-used",
  "cost-state",
  "file-history-snapshot",
  "file-history-delta",
  "atis-latch",
  "tag",
  "pr-link",
  "progress",
  "reprise-origin",
]);

/** Whether this reader knows what a record of this type is. */
export function isKnownType(type: string): boolean {
  return chainTypes.has(type) || metadataTypes.has(type) || isRequestLog(type);
}

/** Says a record from an object that lay inside one, where a damaged line is taken apart. */
export function acceptsRecord(candidate: JsonObject): boolean {
  const type = asString(candidate["type"]);
  if (type === undefined) return false;
  if (chainTypes.has(type)) {
    return isObject(candidate["message"]) || asString(candidate["uuid"]) !== undefined;
  }
  if (!isKnownType(type)) return asString(candidate["sessionId"]) !== undefined;
  return ["sessionId", "leafUuid", "messageId"].some((key) => asString(candidate[key]));
}

/** The name a record gives the session, or undefined. */
export function titleIn(record: JsonObject): string | undefined {
  const text =
    asString(record["customTitle"]) ??
    asString(record["aiTitle"]) ??
    asString(record["summary"]) ??
    asString(record["agentName"]);
  return text === undefined || text.trim() === "" ? undefined : text;
}

/** What the program names as the model of a message that it wrote itself. */
export const syntheticModel = "<synthetic>";

/** The filler the program writes where a turn has no answer; replayed although it is synthetic. */
export const fillerText = "No response requested.";

/**
 * Whether a title speaks of the session whose text is given. A summary does only if it names one of
 * the session's records: older versions left summaries in other sessions' files.
 */
export function namesHere(record: JsonObject, text: string): boolean {
  if (record["type"] !== "summary") return true;
  const leaf = asString(record["leafUuid"]);
  return leaf !== undefined && text.includes(`"uuid":"${leaf}"`);
}
