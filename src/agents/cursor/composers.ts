import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { namesIn, smallFile } from "../../base/folders.ts";
import {
  asArray,
  asNumber,
  asString,
  isObject,
  type JsonObject,
  parseObject,
} from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import type { ReadDatabase } from "../../sqlite/database.ts";
import { openForReading } from "../../sqlite/open.ts";

/** What the index of a workspace says of a conversation: enough to list it without reading it. */
export interface IndexedComposer {
  readonly id: string;
  readonly cwd?: string;
  readonly updatedMs?: number;
}

/** The conversations that workspaces name, by id. */
export function indexedComposers(user: string): ReadonlyMap<string, IndexedComposer> {
  const found = new Map<string, IndexedComposer>();
  const folder = join(user, "workspaceStorage");
  for (const name of namesIn(folder)) {
    const cwd = projectOf(join(folder, name, "workspace.json"));
    for (const entry of composersIn(join(folder, name, "state.vscdb"))) {
      const id = asString(entry["composerId"]);
      if (id === undefined) continue;
      const updatedMs = asNumber(entry["lastUpdatedAt"]) ?? asNumber(entry["createdAt"]);
      found.set(id, {
        id,
        ...(cwd !== undefined && { cwd }),
        ...(updatedMs !== undefined && { updatedMs }),
      });
    }
  }
  return found;
}

function composersIn(path: string): readonly JsonObject[] {
  try {
    const database = openForReading(path);
    try {
      const sql = "select value from ItemTable where key = 'composer.composerData'";
      return asArray(jsonOf(database.first(sql)?.["value"])?.["allComposers"]).filter(isObject);
    } finally {
      database.close();
    }
  } catch {
    // An index that is missing or damaged costs folders and times, no conversation.
    return [];
  }
}

function projectOf(path: string): string | undefined {
  const uri = asString(parseObject(smallFile(path, limits.headBytesMax) ?? "")?.["folder"]);
  try {
    return uri?.startsWith("file:") ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

/** The ids of all conversations in the database, by its index of keys alone. */
export function* composerIds(database: ReadDatabase): Generator<string> {
  const sql = "select key from cursorDiskKV where key >= 'composerData:' and key < 'composerData;'";
  for (const { key } of database.rows(sql)) {
    const id = asString(key)?.slice("composerData:".length);
    if (id) yield id;
  }
}

/** A value of the program's tables, which is JSON as text or bytes; undefined where it is none. */
export function jsonOf(value: unknown): JsonObject | undefined {
  if (typeof value === "string") return parseObject(value);
  return value instanceof Uint8Array ? parseObject(Buffer.from(value).toString("utf8")) : undefined;
}
