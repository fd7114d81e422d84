import { asString, type JsonObject } from "../../base/json.ts";

/** The parts of a prompt: what was typed and attached, and what a hook put behind it. */
export interface TypedParts {
  readonly typed: readonly JsonObject[];
  readonly injected: readonly JsonObject[];
}

const hookContext =
  /^\s*<qwen:user-prompt-submit-context>\n[\s\S]*\n<\/qwen:user-prompt-submit-context>\s*$/;

/** Takes a prompt apart: only the last of several parts can be a hook's. */
export function typedParts(parts: readonly JsonObject[]): TypedParts {
  const last = parts.at(-1);
  const isHooked = parts.length > 1 && hookContext.test(asString(last?.["text"]) ?? "");
  return isHooked
    ? { typed: parts.slice(0, -1), injected: parts.slice(-1) }
    : { typed: parts, injected: [] };
}

/** Whether a person typed a user's record; a program says so in its subtype or in `provenance`. */
export function isTyped(record: JsonObject): boolean {
  const subtype = asString(record["subtype"]);
  if (
    subtype !== undefined &&
    subtype !== "mid_turn_user_message" &&
    subtype !== "realtime_message"
  )
    return false;
  const provenance = asString(record["provenance"]);
  return provenance === undefined || provenance === "real_user";
}
