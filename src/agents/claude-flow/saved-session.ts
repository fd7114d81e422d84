import { createHash } from "node:crypto";
import { asArray, asString, isObject, type JsonObject, parseObject } from "../../base/json.ts";
import { innerObjects, looseFields } from "../../json/inner-objects.ts";
import type { Damage } from "../../model/damage.ts";

/** A session that the program saved: how far agents and tasks came. */
export interface SavedSession {
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly cwd?: string;
  readonly agents: readonly JsonObject[];
  readonly tasks: readonly JsonObject[];
  readonly memory: readonly JsonObject[];
  /** Counts that were saved in place of the things themselves. */
  readonly counts?: JsonObject;
  readonly damage: readonly Damage[];
}

const scalars = ["id", "sessionId", "name", "description", "createdAt", "updatedAt", "savedAt"];

/** Whether a file was encrypted by the program, which then alone can read it. */
export function isEncrypted(text: string): boolean {
  return text.startsWith("RFE1");
}

/** The session in a file of 2.x (with its checksum verified) or 3.x; undefined if it is none. */
export function sessionIn(text: string): SavedSession | undefined {
  const whole = parseObject(text);
  const native = whole ?? loose(text);
  const id = asString(native["sessionId"]) ?? asString(native["id"]);
  const isOurs = "savedAt" in native || "state" in native || "startedAt" in native;
  const found = listsOf(native);
  const isRest = whole === undefined && found.agents.length + found.tasks.length > 0;
  if ((id === undefined || !isOurs) && !isRest) return undefined;
  const broken: Damage = { kind: "bad_json", offset: 0, recovered: 1 };
  const told = (key: string): string | undefined => asString(native[key]) || undefined;
  const updatedAt = told("savedAt") ?? told("updatedAt") ?? told("endedAt") ?? told("restoredAt");
  const createdAt = told("createdAt") ?? told("startedAt");
  const counts = [native["stats"], native["metrics"]].find(isObject);
  return {
    id: id ?? "",
    ...(told("name") !== undefined && { name: told("name")! }),
    ...(told("description") !== undefined && { description: told("description")! }),
    ...(createdAt !== undefined && { createdAt }),
    ...((updatedAt ?? createdAt) !== undefined && { updatedAt: (updatedAt ?? createdAt)! }),
    ...(told("cwd") !== undefined && { cwd: told("cwd")! }),
    ...found,
    ...(counts !== undefined && { counts }),
    damage: whole === undefined ? [broken] : sumDamage(whole),
  };
}

/** The checksum of 2.x covers the state: the first 16 digits of SHA-256 over its compact JSON. */
function sumDamage(session: JsonObject): readonly Damage[] {
  const metadata = session["metadata"];
  const stated = isObject(metadata) ? asString(metadata["checksum"]) : undefined;
  if (stated === undefined || !isObject(session["state"])) return [];
  const sum = createHash("sha256").update(JSON.stringify(session["state"])).digest("hex");
  if (sum.slice(0, 16) === stated) return [];
  return [{ kind: "bad_sum", offset: 0, recovered: 1, detail: "the state is not what was saved" }];
}

function listsOf(native: JsonObject): Pick<SavedSession, "agents" | "tasks" | "memory"> {
  const state = [native["state"], native["data"]].find(isObject) ?? native;
  const list = (key: string): readonly JsonObject[] => {
    const value = state[key];
    if (isObject(value) && isObject(value[key])) return Object.values(value[key]).filter(isObject);
    if (isObject(value)) return Object.values(value).filter(isObject);
    return asArray(value).filter(isObject);
  };
  return { agents: list("agents"), tasks: list("tasks"), memory: list("memory") };
}

/** What is still whole of a damaged file. */
function loose(text: string): JsonObject {
  const isTask = (one: JsonObject): boolean => asString(one["id"])?.startsWith("task") ?? false;
  const isAgent = (one: JsonObject): boolean => asString(one["id"])?.startsWith("agent") ?? false;
  const parts = innerObjects(text, (one) => isTask(one) || isAgent(one));
  const state = { agents: parts.filter(isAgent), tasks: parts.filter(isTask) };
  return { ...looseFields(text, scalars), state };
}
