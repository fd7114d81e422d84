import { join } from "node:path";
import { fileStat } from "../../../base/folders.ts";
import { sessionIdProblem } from "../../../base/ids.ts";
import { asArray, asNumber, asString, isObject, type JsonObject } from "../../../base/json.ts";
import { carveRows } from "../../../sqlite/carve.ts";
import type { ReadDatabase } from "../../../sqlite/database.ts";
import { openForNow } from "../../../sqlite/open-for-now.ts";
import { remembered } from "../../../sqlite/remembered.ts";
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
  const content = readable(path);
  // Unreadable as a whole, or no engine: the file itself is named, so that reading it says why.
  if (content === undefined) yield { agent: agentName, session: "state.vscdb", path, ...stat };
  else yield* refsOf(content, { path, modifiedMs: stat.modifiedMs, workspaces });
}

function readable(path: string): GlobalContent | undefined {
  try {
    return contentIn(path);
  } catch {
    return undefined;
  }
}

function* refsOf(
  { ids, headers, hasMemories, hasRules }: GlobalContent,
  of: {
    readonly path: string;
    readonly modifiedMs: number;
    readonly workspaces: readonly Workspace[];
  },
): Generator<SessionRef> {
  const { path, modifiedMs, workspaces } = of;
  const indexed = indexOf(headers, workspaces);
  for (const session of ids) {
    if (sessionIdProblem(session) !== undefined) continue;
    const known = indexed.get(session);
    const part = partOf("composer", session);
    // Without an index nobody knows how old one is: no older than the file.
    const updatedMs = known?.updatedMs ?? modifiedMs;
    const root = known?.cwd ?? "";
    yield { agent: agentName, session, path, part, sizeBytes: 0, modifiedMs: updatedMs, root };
  }
  const whole = { agent: agentName, path, sizeBytes: 0, modifiedMs };
  if (hasMemories) yield { ...whole, session: "memories", part: partOf("memories") };
  if (hasRules) yield { ...whole, session: "user-rules", part: partOf("rules") };
}

/** The keys under which the program keeps what it remembers, by version. */
export const memoryKeys = ["cursor/pendingMemories", "cursorPendingMemories"] as const;
/** The key under which it keeps what the user says every model. */
export const rulesKey = "aicontext.personalContext";

interface GlobalContent {
  readonly ids: readonly string[];
  /** What the lists of the whole program say of conversations, which versions since 2026 keep. */
  readonly headers: readonly JsonObject[];
  readonly hasMemories: boolean;
  readonly hasRules: boolean;
}

/** Remembered: whoever lists has asked before whether there is anything to list. */
const contentIn = remembered(contentOf, 4);

function contentOf(path: string): GlobalContent {
  try {
    const database = openForNow(path);
    const has = (key: string): boolean => asArray(jsonOf(itemIn(database, key))).length > 0;
    return {
      ids: composerIds(database),
      headers: [
        ...composersOf(itemIn(database, "composer.composerHeaders")),
        ...headerRows(database),
      ],
      hasMemories: memoryKeys.some(has),
      hasRules: (asString(itemIn(database, rulesKey)) ?? "").trim() !== "",
    };
  } catch (error) {
    if (!isDamage(error)) throw error;
    const ids = carvedIds(path);
    // Nothing at all: the file is named as what cannot be read.
    if (ids.length === 0) throw error;
    return { ids, headers: [], hasMemories: false, hasRules: false };
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

/** What is said of conversations: in their workspaces, and in the lists of the whole program. */
function indexOf(
  headers: readonly JsonObject[],
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
  const folders = new Map(workspaces.map(({ id, cwd }) => [id, cwd]));
  for (const entry of headers) note(entry, folderOf(entry, folders));
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
