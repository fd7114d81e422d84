import {
  asArray,
  asNumber,
  asString,
  isObject,
  type JsonObject,
  parseObject,
} from "../../base/json.ts";
import { innerObjects, looseFields } from "../../json/inner-objects.ts";
import type { Damage } from "../../model/damage.ts";

/** How far the agents of a project came. */
export interface AiosState {
  readonly sessionId?: string;
  readonly startMs?: number;
  readonly lastMs?: number;
  readonly workflow?: string;
  readonly workflowState?: string;
  readonly commands: readonly string[];
  /** Agents that were active, in their order. */
  readonly agents: readonly JsonObject[];
  /** Tasks that ended, in their order. */
  readonly tasks: readonly JsonObject[];
  readonly story?: string;
  readonly native: JsonObject;
}

const scalars = [
  "sessionId",
  "startTime",
  "lastActivity",
  "workflowActive",
  "workflowState",
  "currentStory",
];

/** A state and what was damaged in it; undefined if the text is none: one that came with the program has other keys. */
export function stateIn(
  text: string,
): { readonly state: AiosState; readonly damage: readonly Damage[] } | undefined {
  const whole = parseObject(text);
  const native = whole ?? loose(text);
  const isState = asNumber(native["lastActivity"]) !== undefined;
  const isRest =
    asArray(native["agentSequence"]).length + asArray(native["taskHistory"]).length > 0;
  if (!isState && !(whole === undefined && isRest)) return undefined;
  const damage: readonly Damage[] =
    whole === undefined ? [{ kind: "bad_json", offset: 0, recovered: 1 }] : [];
  return { state: stateOf(native), damage };
}

/** What is still whole of a damaged state. */
function loose(text: string): JsonObject {
  const isAgent = (one: JsonObject): boolean => "agentId" in one && "activatedAt" in one;
  const isTask = (one: JsonObject): boolean => typeof one["task"] === "string";
  const parts = innerObjects(text, (one) => isAgent(one) || isTask(one));
  return {
    ...looseFields(text, scalars),
    agentSequence: parts.filter((part) => !isTask(part)),
    taskHistory: parts.filter(isTask),
  };
}

function stateOf(native: JsonObject): AiosState {
  const text = (key: string): string | undefined => asString(native[key]) || undefined;
  return {
    ...given("sessionId", text("sessionId")),
    ...given("startMs", asNumber(native["startTime"])),
    ...given("lastMs", asNumber(native["lastActivity"])),
    ...given("workflow", text("workflowActive")),
    ...given("workflowState", text("workflowState")),
    commands: asArray(native["lastCommands"]).filter((one) => typeof one === "string"),
    agents: asArray(native["agentSequence"]).filter(isObject),
    tasks: asArray(native["taskHistory"]).filter(isObject),
    ...given("story", text("currentStory")),
    native,
  };
}

function given<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };
}
