import { asArray, asString, isObject, type JsonObject } from "../../base/json.ts";
import { withoutInjected } from "../../model/injected.ts";

/** How user items begin and end that Codex itself put into the history. */
const userMarkers: readonly (readonly [begin: string, end?: string])[] = [
  ["# AGENTS.md instructions", "</INSTRUCTIONS>"],
  ["<user_instructions>"],
  ["<environment_context>", "</environment_context>"],
  ["<skill>", "</skill>"],
  ["<turn_aborted>", "</turn_aborted>"],
  ["<subagent_notification>", "</subagent_notification>"],
  ["<codex_internal_context"],
  ["<goal_context>"],
  ["<recommended_plugins>", "</recommended_plugins>"],
  ["<hook_prompt", "</hook_prompt>"],
  ["Warning: The maximum number of unified exec processes you can keep open is"],
  ["Warning: apply_patch was requested via "],
  ["Warning: Your account was flagged for potentially high-risk cyber activity"],
];

/** How developer items begin that Codex writes again by itself for each turn that needs them. */
const developerMarkers: readonly string[] = [
  "<permissions instructions>",
  "Approved command prefix saved:",
  "<model_switch>",
  "<managed_developer_instructions>",
  "<apps_instructions>",
  "<collaboration_mode>",
  "<multi_agent_role>",
  "<multi_agent_mode>",
  "<environments_instructions>",
  "<git_attribution>",
  "<plugins_instructions>",
  "<realtime_conversation>",
  "<skills_instructions>",
  "<tools>",
  "<personality_spec>",
  "<token_budget>",
  "<context_window>",
  "<context_window_guidance>",
  "<rollout_budget>",
];

/** Blanks before the first character are few. */
const firstChars = 16;

/** Whether a text of a user item is context that Codex wrote, not a prompt a person typed. */
export function isProgramText(text: string): boolean {
  // Few prompts begin like a marker; all others are reported by one character.
  if (/^\s*[^\s<#W]/i.test(text.slice(0, firstChars))) return false;
  const trimmed = text.trim();
  if (!/^[<#W]/i.test(trimmed)) return false;
  const marked = userMarkers.some(
    ([begin, end]) => startsWith(trimmed, begin) && (end === undefined || endsWith(trimmed, end)),
  );
  return marked || isExternalContext(trimmed) || withoutInjected(trimmed) === "";
}

/** Whether a text is a command that a person ran with `!`, and what it printed. */
export function isRan(text: string): boolean {
  const trimmed = text.trim();
  return startsWith(trimmed, "<user_shell_command>") && endsWith(trimmed, "</user_shell_command>");
}

/** Whether a user message is context: one such text makes the whole message one. */
export function isContextUserItem(item: JsonObject): boolean {
  return textsOf(item).some(isProgramText);
}

/** Whether a developer message is context that Codex renews per turn. */
export function isContextDeveloperItem(item: JsonObject): boolean {
  return textsOf(item).some((text) => {
    const trimmed = text.trimStart();
    return developerMarkers.some((begin) => startsWith(trimmed, begin));
  });
}

/** The texts of a message item, in order. */
export function textsOf(item: JsonObject): readonly string[] {
  return asArray(item["content"]).flatMap((part) =>
    isObject(part) ? (asString(part["text"]) ?? []) : [],
  );
}

/** Context a host program added: `<external_key>…</external_key>`. */
function isExternalContext(trimmed: string): boolean {
  const key = /^<external_([^>]{0,200})>/.exec(trimmed)?.[1];
  return key !== undefined && trimmed.endsWith(`</external_${key}>`);
}

function startsWith(text: string, begin: string): boolean {
  return text.slice(0, begin.length).toLowerCase() === begin.toLowerCase();
}

function endsWith(text: string, end: string): boolean {
  return text.slice(-end.length).toLowerCase() === end.toLowerCase();
}
