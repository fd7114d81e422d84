import { asArray, asString, isObject, type JsonObject, parseObject } from "../../base/json.ts";
import { looseFields } from "../../json/inner-objects.ts";
import type { Damage } from "../../model/damage.ts";

/** What the program knows of one session. */
export interface SynapseState {
  readonly native: JsonObject;
  readonly uuid?: string;
  readonly title?: string;
  readonly cwd?: string;
  readonly started?: string;
  readonly lastActivity?: string;
  readonly agent?: string;
  readonly workflow?: string;
  readonly task?: string;
  readonly bracket?: string;
}

const scalars = [
  "uuid",
  "schema_version",
  "started",
  "last_activity",
  "cwd",
  "title",
  "prompt_count",
  "active_workflow",
  "active_task",
  "last_bracket",
];

/** A state and what was damaged in it; undefined if the text is none, or one of another version. */
export function stateIn(
  text: string,
): { readonly state: SynapseState; readonly damage: readonly Damage[] } | undefined {
  const whole = parseObject(text);
  const native = whole ?? loose(text);
  const version = native["schema_version"];
  if (version !== "2.0" && (whole !== undefined || asString(native["uuid"]) === undefined))
    return undefined;
  const damage: readonly Damage[] =
    whole === undefined ? [{ kind: "bad_json", offset: 0, recovered: 1 }] : [];
  return { state: stateOf(native), damage };
}

function loose(text: string): JsonObject {
  const fields = looseFields(text, scalars);
  const agent = /"active_agent"\s*:\s*\{\s*"id"\s*:\s*"([\w-]{1,80})"/.exec(text)?.[1];
  return { ...fields, ...(agent !== undefined && { active_agent: agent }) };
}

function stateOf(native: JsonObject): SynapseState {
  const named = (key: string): string | undefined => {
    const value = native[key];
    return (
      asString(value) ??
      (isObject(value) ? (asString(value["id"]) ?? asString(value["name"])) : undefined)
    );
  };
  const context = isObject(native["context"]) ? native["context"] : native;
  const facts = {
    uuid: asString(native["uuid"]),
    title: asString(native["title"]),
    cwd: asString(native["cwd"]),
    started: asString(native["started"]),
    lastActivity: asString(native["last_activity"]),
    agent: named("active_agent"),
    workflow: named("active_workflow"),
    task: named("active_task"),
    bracket: asString(context["last_bracket"]),
  };
  const known = Object.entries(facts).filter(([, value]) => value !== undefined && value !== "");
  return { ...Object.fromEntries(known), native };
}

/** What a session did so far, by the names the program keeps: commands, agents, domains. */
export function historyOf({ native }: SynapseState): readonly (readonly [string, string])[] {
  const history = isObject(native["history"]) ? native["history"] : {};
  return [
    ["Commands", "star_commands_used"],
    ["Agents", "agents_activated"],
    ["Domains", "domains_loaded_last"],
  ].flatMap(([label, key]) => {
    const names = asArray(history[key!]).filter((name) => typeof name === "string");
    return names.length === 0 ? [] : [[label!, names.join(", ")] as const];
  });
}
