import { isoOf, timeOf } from "../../base/clock.ts";
import { asArray, asNumber, asString, isObject, type JsonObject } from "../../base/json.ts";

/** Where a conversation was had. */
export type Service = "chatgpt" | "claude" | "gemini";

/** The names people use. */
export const serviceTitles: Readonly<Record<Service, string>> = {
  chatgpt: "ChatGPT",
  claude: "Claude.ai",
  gemini: "Gemini",
};

/** How an element of an export begins: where reading goes on after a damaged one. */
export const elementShape = /^\{\s*"(?:title|uuid|id|conversation_id|header|create_time)"\s*:/;

/** What a list shows of one element of an export. */
export interface ElementFacts {
  readonly service: Service;
  /** Elements of one id are one conversation. */
  readonly id: string;
  readonly title?: string | undefined;
  readonly createdMs?: number | undefined;
  readonly updatedMs?: number | undefined;
  readonly model?: string | undefined;
  readonly messages: number;
}

/** What an element is; undefined if it is not a conversation of a service that is known. */
export function factsOf(element: JsonObject): ElementFacts | undefined {
  if (isObject(element["mapping"])) return chatgptFacts(element);
  if (Array.isArray(element["chat_messages"])) return claudeFacts(element);
  const isActivity = typeof element["time"] === "string" && typeof element["title"] === "string";
  return isActivity ? geminiFacts(element) : undefined;
}

function chatgptFacts(element: JsonObject): ElementFacts | undefined {
  const id = asString(element["conversation_id"]) ?? asString(element["id"]);
  if (id === undefined) return undefined;
  const mapping = element["mapping"] as JsonObject;
  const messages = Object.values(mapping).filter(
    (node) => isObject(node) && isObject(node["message"]),
  );
  return {
    service: "chatgpt",
    id,
    title: asString(element["title"]) || undefined,
    createdMs: msOfSeconds(element["create_time"]),
    updatedMs: msOfSeconds(element["update_time"]),
    model: asString(element["default_model_slug"]),
    messages: messages.length,
  };
}

function claudeFacts(element: JsonObject): ElementFacts | undefined {
  const id = asString(element["uuid"]);
  if (id === undefined) return undefined;
  return {
    service: "claude",
    id,
    title: asString(element["name"]) || undefined,
    createdMs: timeOf(element["created_at"]),
    updatedMs: timeOf(element["updated_at"]),
    model: asString(element["model"]),
    messages: asArray(element["chat_messages"]).length,
  };
}

/** Takeout has prompts with their answers and no conversations: those of one day are taken together. */
function geminiFacts(element: JsonObject): ElementFacts | undefined {
  const products = [element["header"], ...asArray(element["products"])];
  if (!products.some((name) => typeof name === "string" && /gemini|bard/i.test(name)))
    return undefined;
  const ms = timeOf(element["time"]);
  const day = ms === undefined ? "undated" : isoOf(ms).slice(0, 10);
  return {
    service: "gemini",
    id: `gemini-${day}`,
    title: `Gemini, ${day}`,
    createdMs: ms,
    updatedMs: ms,
    messages: 1,
  };
}

/** Seconds since 1970 in milliseconds. */
export function msOfSeconds(value: unknown): number | undefined {
  const seconds = asNumber(value);
  return seconds !== undefined && seconds > 0 && seconds < 253_402_300_800
    ? Math.floor(seconds * 1000)
    : undefined;
}
