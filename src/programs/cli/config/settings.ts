import { dirname } from "node:path";
import { settingsFile } from "../../../agents/user-agents.ts";
import { atomicWrite } from "../../../base/atomic-write.ts";
import { disk } from "../../../base/disk.ts";
import { makeDurableDirectory } from "../../../base/durable-directory.ts";
import type { Environment } from "../../../base/env.ts";
import { RepriseError } from "../../../base/errors.ts";
import { smallFile } from "../../../base/folders.ts";
import { isObject, type JsonObject, parseObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";

/** A setting: what it is called, what it takes, and what it does. */
export interface SettingRow {
  readonly key: string;
  readonly takes: "yes or no" | "a whole number" | "days" | "a size" | "a text";
  readonly says: string;
}

/** Every setting; `<…>` stands for a word of the user's. */
export const settingRows: readonly SettingRow[] = [
  {
    key: "retention.auto",
    takes: "yes or no",
    says: "delete by the other rules of retention, at most once a day, only sessions of Reprise's own store; `reprise undo` brings them back. While it is off, nothing is deleted by itself",
  },
  {
    key: "retention.ttlDays",
    takes: "days",
    says: "with retention.auto, delete sessions of Reprise's own store not used for this many days: 90, 90d, 3 months",
  },
  {
    key: "retention.maxSessions",
    takes: "a whole number",
    says: "with retention.auto, keep this many of the newest of Reprise's own store",
  },
  {
    key: "retention.maxBytes",
    takes: "a size",
    says: "with retention.auto, keep the newest of Reprise's own store up to this size",
  },
  {
    key: "memory.maxEntries",
    takes: "a whole number",
    says: "memories a namespace may have (10,000)",
  },
  { key: "memory.maxEntryBytes", takes: "a size", says: "what a memory may have; 10 MB at most" },
  {
    key: "defaults.<command>.<flag>",
    takes: "a text",
    says: "default value of a flag, such as defaults.list.limit 50; not used with --json",
  },
  { key: "agents.<name>", takes: "a text", says: "the module of an agent of your own" },
];

/** The settings of the user; an empty object where there are none, or the file cannot be read. */
export function readSettings(env: Environment): JsonObject {
  const text = smallFile(settingsFile(env), limits.settingsBytes);
  return (text === undefined ? undefined : parseObject(text)) ?? {};
}

/** All settings as keys and values, in the order of the file. */
export function flatSettings(
  settings: JsonObject,
  before = "",
): readonly (readonly [string, unknown])[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    const key = before === "" ? name : `${before}.${name}`;
    return isObject(value) ? flatSettings(value, key) : [[key, value] as const];
  });
}

/** The row a key belongs to; `usage` where there is no such setting. */
export function settingNamed(key: string): SettingRow {
  const parts = key.split(".");
  const row = settingRows.find((candidate) => {
    const shape = candidate.key.split(".");
    return (
      shape.length === parts.length &&
      shape.every((part, at) => part.startsWith("<") || part === parts[at])
    );
  });
  const isSafe = parts.every((part) => /^[A-Za-z][\w-]{0,60}$/.test(part) && part !== "__proto__");
  if (row !== undefined && isSafe) return row;
  throw new RepriseError("usage", `There is no setting ${JSON.stringify(key)}.`, {
    hint: `Settings: ${settingsBelow(key).join(", ")}.`,
  });
}

/** The settings of a group that was named, else all. */
function settingsBelow(group: string): readonly string[] {
  const keys = settingRows.map((row) => row.key);
  const below = keys.filter((key) => key.startsWith(`${group}.`));
  return below.length === 0 ? keys : below;
}

/** The value of a key; undefined if it is not set. */
export function settingIn(settings: JsonObject, key: string): unknown {
  let value: unknown = settings;
  for (const part of key.split(".")) value = isObject(value) ? value[part] : undefined;
  return value;
}

/** The settings with a key set, or without it. */
export function changedSettings(settings: JsonObject, key: string, value: unknown): JsonObject {
  const [first = "", ...rest] = key.split(".");
  const { [first]: old, ...others } = settings;
  if (rest.length === 0) return value === undefined ? others : { ...settings, [first]: value };
  const inner = changedSettings(isObject(old) ? old : {}, rest.join("."), value);
  return Object.keys(inner).length === 0 ? others : { ...settings, [first]: inner };
}

/** Writes the settings; a file that is there and is no JSON is left, with `damaged`. */
export function writeSettings(env: Environment, settings: JsonObject): void {
  const file = settingsFile(env);
  const text = smallFile(file, limits.settingsBytes);
  if (text !== undefined && text.trim() !== "" && parseObject(text) === undefined) {
    throw new RepriseError("damaged", `${file} is not JSON; it was left as it is.`, {
      hint: "Fix it by hand, or move it away.",
    });
  }
  makeDurableDirectory(dirname(file), disk);
  atomicWrite(file, `${JSON.stringify(settings, undefined, 2)}\n`, { mode: 0o600 });
}
