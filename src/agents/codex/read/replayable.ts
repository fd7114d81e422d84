import { asString, isObject, type JsonObject } from "../../../base/json.ts";
import { isContextDeveloperItem, isContextUserItem } from "../typed-text.ts";

/**
 * Whether Codex takes an item back into the history. It reads items with fixed types and passes
 * over, one by one and without a word, what does not fit them; so do other programs' mistakes.
 */
export function isReplayable(item: JsonObject): boolean {
  switch (item["type"]) {
    case "message":
      return (
        isText(item, "role") &&
        item["role"] !== "system" &&
        everyPart(item["content"], isMessagePart)
      );
    case "reasoning":
      return (
        everyPart(item["summary"], (part) => isText(part, "text")) &&
        isOptionalText(item, "encrypted_content")
      );
    case "function_call":
      return isText(item, "name") && isText(item, "arguments") && isText(item, "call_id");
    case "custom_tool_call":
      return isText(item, "name") && isText(item, "input") && isText(item, "call_id");
    case "function_call_output":
      return isOptionalText(item, "call_id") && isOutput(item, "output");
    case "custom_tool_call_output":
      return isText(item, "call_id") && isOutput(item, "output");
    case "local_shell_call":
      return isText(item, "status") && isObject(item["action"]);
    case "tool_search_call":
      return isText(item, "execution");
    case "tool_search_output":
      return isText(item, "status") && Array.isArray(item["tools"]);
    case "image_generation_call":
      return isText(item, "status") && isText(item, "result");
    case "compaction":
    case "compaction_summary":
      return isText(item, "encrypted_content");
    case "agent_message":
      return isText(item, "author") && isText(item, "recipient") && Array.isArray(item["content"]);
    case "web_search_call":
    case "context_compaction":
    case "additional_tools":
      return true;
    default:
      return false;
  }
}

/** Whether an item is what the program says of the context, in the user's or its own name. */
export function isContext(item: JsonObject): boolean {
  if (item["type"] !== "message") return false;
  if (item["role"] === "user") return isContextUserItem(item);
  return item["role"] === "developer" && isContextDeveloperItem(item);
}

function isMessagePart(part: JsonObject): boolean {
  switch (part["type"]) {
    case "input_text":
    case "output_text":
      return isText(part, "text");
    case "input_image":
      return isText(part, "image_url");
    case "input_audio":
      return isText(part, "audio_url");
    default:
      return false;
  }
}

function isOutput(item: JsonObject, key: string): boolean {
  return isText(item, key) || Array.isArray(item[key]) || isObject(item[key]);
}

function everyPart(parts: unknown, fits: (part: JsonObject) => boolean): boolean {
  return Array.isArray(parts) && parts.every((part) => isObject(part) && fits(part));
}

function isText(object: JsonObject, key: string): boolean {
  return asString(object[key]) !== undefined;
}

function isOptionalText(object: JsonObject, key: string): boolean {
  return isText(object, key) || object[key] === undefined || object[key] === null;
}
