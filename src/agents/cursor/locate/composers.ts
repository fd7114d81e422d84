import { join } from "node:path";
import { fileStat } from "../../../base/folders.ts";
import { sessionIdProblem } from "../../../base/ids.ts";
import { asArray, asNumber, asString, isObject, type JsonObject } from "../../../base/json.ts";
import { carveRows } from "../../../sqlite/carve.ts";
import type { ReadDatabase } from "../../../sqlite/database.ts";
import { openForReading } from "../../../sqlite/open.ts";
import type { SessionRef } from "../../contract.ts";
import { isDamage } from "../key-values.ts";
import { agentName } from "../name.ts";
import { partOf } from "../part.ts";
import { jsonOf, objectOf } from "../stored-json.ts";
import { composersOf, localPath, type Workspace } from "./workspaces.ts";

/** What an index says of a conversation: enough to list it without reading it. */
interface Indexed {
  readonly cwd?: string | undefined;
  readonly updatedMs?: number | undefined;
}

const prefix = "composerData:";

/** The database of the desktop program in its folder. */
export function globalDatabase(user: string): string {
  return join(user, "globalStorage", "state.vscdb");
}

/** The conversations of the desktop program, by the keys of its database and the indexes beside it. */
export function* composerRefs(
  path: string,
  workspaces: readonly Workspace[],
): Generator<SessionRef> {
  const stat = fileStat(path);
  if (stat === undefined) return;
  const at = { agent: agentName, path };
  const refs: SessionRef[] = [];
  const { modifiedMs } = stat;
  try {
    const { ids, indexed, hasMemories, hasRules } = contentOf(path, workspaces);
    for (const id of ids) {
      if (sessionIdProblem(id) !== undefined) continue;
      const known = indexed.get(id);
      // Written out: there are thousands. Without an index nobody knows how old one is: no older than the file.
      refs.push({
        agent: agentName,
        session: id,
        path,
        part: partOf("composer", id),
        sizeBytes: 0,
        modifiedMs: known?.updatedMs ?? modifiedMs,
        root: known?.cwd ?? "",
      });
    }
    const whole = { ...at, sizeBytes: 0, modifiedMs };
    if (hasMemories) refs.push({ ...whole, session: "memories", part: partOf("memories") });
    if (hasRules) refs.push({ ...whole, session: "user-rules", part: partOf("rules") });
  } catch {
    // Unreadable as a whole, or no engine: the file itself is named, so that reading it says why.
    refs.push({ ...at, session: "state.vscdb", ...stat });
  }
  yield* refs;
}

/** The keys under which the program keeps what it remembers, by version. */
export const memoryKeys = ["cursor/pendingMemories", "cursorPendingMemories"] as const;
/** The key under which it keeps what the user says every model. */
export const rulesKey = "aicontext.personalContext";

interface GlobalContent {
  readonly ids: readonly string[];
  readonly indexed: ReadonlyMap<string, Indexed>;
  readonly hasMemories: boolean;
  readonly hasRules: boolean;
}

function contentOf(path: string, workspaces: readonly Workspace[]): GlobalContent {
  try {
    const database = openForReading(path);
    try {
      const ids = composerIds(database);
      const has = (key: string): boolean => asArray(jsonOf(itemIn(database, key))).length > 0;
      return {
        ids,
        indexed: indexOf(database, workspaces),
        hasMemories: memoryKeys.some(has),
        hasRules: (asString(itemIn(database, rulesKey)) ?? "").trim() !== "",
      };
    } finally {
      database.close();
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
    const ids = carvedIds(path);
    // Nothing at all: the file is named as what cannot be read.
    if (ids.length === 0) throw error;
    const indexed = indexOf(undefined, workspaces);
    return { ids, indexed, hasMemories: false, hasRules: false };
  }
}

/**
 * The ids of all conversations in the database, by its index of keys alone. They come as one text: rows would take most
 * of the time of a list of thousands. An id with a line break is none.
 */
function composerIds(database: ReadDatabase): readonly string[] {
  const sql = `select group_concat(substr(key, ${prefix.length + 1}), char(10)) as ids from cursorDiskKV
    where key >= 'composerData:' and key < 'composerData;'`;
  const ids = asString(database.first(sql)?.["ids"]) ?? "";
  return ids.split("\n").filter((id) => id !== "");
}

function carvedIds(path: string): readonly string[] {
  const found = new Set<string>();
  for (const [key] of carveRows(path))
    if (typeof key === "string" && key.startsWith(prefix)) found.add(key.slice(prefix.length));
  return [...found];
}

function itemIn(database: ReadDatabase, key: string): unknown {
  if (database.columns("ItemTable").length === 0) return undefined;
  const stored = database.first("select value from ItemTable where key = ?", key)?.["value"];
  return stored instanceof Uint8Array ? Buffer.from(stored).toString("utf8") : stored;
}

/** What is said of conversations: in their workspaces, and since 2026 in lists of the whole program. */
function indexOf(
  database: ReadDatabase | undefined,
  workspaces: readonly Workspace[],
): ReadonlyMap<string, Indexed> {
  const found = new Map<string, Indexed>();
  const note = (entry: JsonObject, cwd: string | undefined): void => {
    const id = asString(entry["composerId"]);
    if (id === undefined) return;
    const updatedMs = asNumber(entry["lastUpdatedAt"]) ?? asNumber(entry["createdAt"]);
    const known = found.get(id);
    found.set(id, { cwd: cwd ?? known?.cwd, updatedMs: updatedMs ?? known?.updatedMs });
  };
  for (const { composers, cwd } of workspaces) for (const entry of composers) note(entry, cwd);
  if (database === undefined) return found;
  const folders = new Map(workspaces.map(({ id, cwd }) => [id, cwd]));
  for (const entry of composersOf(itemIn(database, "composer.composerHeaders")))
    note(entry, folderOf(entry, folders));
  for (const entry of headerRows(database)) note(entry, folderOf(entry, folders));
  return found;
}

function* headerRows(database: ReadDatabase): Generator<JsonObject> {
  const columns = database.columns("composerHeaders");
  if (!["composerId", "lastUpdatedAt"].every((name) => columns.includes(name))) return;
  const wanted = ["composerId", "workspaceId", "createdAt", "lastUpdatedAt", "value"];
  const there = wanted.filter((name) => columns.includes(name));
  for (const { value, ...row } of database.rows(`select ${there.join(", ")} from composerHeaders`))
    yield { ...row, workspaceIdentifier: objectOf(value)?.["workspaceIdentifier"] };
}

/** The folder of a conversation that names its workspace, by id or by address. */
export function folderOf(
  entry: JsonObject,
  folders: ReadonlyMap<string, string | undefined>,
): string | undefined {
  const { workspaceIdentifier: at, workspaceId, workspaceUri } = entry;
  const uri = isObject(at) && isObject(at["uri"]) ? at["uri"]["external"] : workspaceUri;
  const id = isObject(at) ? asString(at["id"]) : asString(at);
  return localPath(uri) ?? folders.get(asString(workspaceId) ?? id ?? "");
}
