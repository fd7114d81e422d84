import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fileStat, namesIn, smallFile } from "../../../base/folders.ts";
import {
  asArray,
  asNumber,
  asString,
  isObject,
  type JsonObject,
  parseObject,
} from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { openForReading } from "../../../sqlite/open.ts";
import { remembered } from "../../../sqlite/remembered.ts";
import { jsonOf, objectOf } from "../stored-json.ts";

/** The keys of a workspace's database that hold what people and models wrote. */
export const keys = {
  composers: "composer.composerData",
  chats: "workbench.panel.aichat.view.aichat.chatdata",
  notepads: "notepadData",
  prompts: "aiService.prompts",
  generations: "aiService.generations",
} as const;

/** A folder that was open in the desktop program, and what its own database says. */
export interface Workspace {
  readonly id: string;
  readonly path: string;
  readonly cwd?: string;
  readonly modifiedMs: number;
  /** What it says of conversations; those of older versions lie in it whole. */
  readonly composers: readonly JsonObject[];
  readonly chats: readonly JsonObject[];
  readonly notepads: readonly JsonObject[];
  readonly hasPrompts: boolean;
}

/** Every workspace. One whose database is missing or damaged costs what it says, nothing else. */
export function workspacesIn(user: string): readonly Workspace[] {
  const folder = join(user, "workspaceStorage");
  return namesIn(folder).flatMap((id) => workspaceAt(join(folder, id, "state.vscdb")) ?? []);
}

/** The workspace whose database a file is; undefined if there is no file. */
export function workspaceAt(path: string): Workspace | undefined {
  const stat = fileStat(path);
  if (stat === undefined) return undefined;
  const folder = dirname(path);
  const cwd = projectOf(join(folder, "workspace.json"));
  const { modifiedMs } = stat;
  const at = { id: basename(folder), path, modifiedMs, ...(cwd !== undefined && { cwd }) };
  return { ...at, ...contentIn(path) };
}

type Content = Pick<Workspace, "composers" | "chats" | "notepads" | "hasPrompts">;

/** What a workspace says changes seldom; a person has this many at most, or the rest is read each time. */
const contentIn = remembered(contentOf, 256);

function contentOf(path: string): Content {
  const found = new Map<string, unknown>();
  try {
    const database = openForReading(path);
    try {
      const sql = "select key, value from ItemTable where key in (?, ?, ?, ?, ?)";
      for (const { key, value } of database.rows(sql, ...Object.values(keys)))
        found.set(asString(key) ?? "", value);
    } finally {
      database.close();
    }
  } catch {
    // Its name is all that can be reported.
  }
  const isFilled = (key: string): boolean => asArray(jsonOf(found.get(key))).length > 0;
  return {
    composers: composersOf(found.get(keys.composers)),
    chats: tabsOf(found.get(keys.chats)),
    notepads: notepadsOf(found.get(keys.notepads)),
    hasPrompts: isFilled(keys.generations) || isFilled(keys.prompts),
  };
}

/** What a list of conversations says, as workspaces and newer versions of the whole program keep it. */
export function composersOf(stored: unknown): readonly JsonObject[] {
  const value = jsonOf(stored);
  return asArray(isObject(value) ? value["allComposers"] : value).filter(isObject);
}

/** The chats of the first versions. */
export function tabsOf(stored: unknown): readonly JsonObject[] {
  return asArray(objectOf(stored)?.["tabs"]).filter(isObject);
}

/** Pages the user wrote for the model. */
export function notepadsOf(stored: unknown): readonly JsonObject[] {
  const notepads = objectOf(stored)?.["notepads"];
  return isObject(notepads) ? Object.values(notepads).filter(isObject) : [];
}

/** When a chat of the first versions was last written to. */
export function chatMs(tab: JsonObject): number | undefined {
  return asNumber(tab["lastSendTime"]) ?? asNumber(tab["timestamp"]) ?? asNumber(tab["createdAt"]);
}

function projectOf(path: string): string | undefined {
  const told = parseObject(smallFile(path, limits.headBytesMax) ?? "");
  const file = localPath(told?.["workspace"]) ?? localPath(told?.["configuration"]);
  return localPath(told?.["folder"]) ?? (file && dirname(file));
}

/** The folder that an address on this machine means. */
export function localPath(uri: unknown): string | undefined {
  try {
    const text = asString(uri);
    return text?.startsWith("file:") ? fileURLToPath(text) : undefined;
  } catch {
    return undefined;
  }
}
