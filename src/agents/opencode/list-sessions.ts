import { isRepriseError } from "../../base/errors.ts";
import { asNumber, type JsonObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import type { Damage } from "../../model/damage.ts";
import { isDatabaseDamage, type ReadDatabase } from "../../sqlite/database.ts";
import { openForReading } from "../../sqlite/open.ts";
import { rebuild } from "../../sqlite/rebuild.ts";
import { remembered } from "../../sqlite/remembered.ts";
import { salvageRows } from "../../sqlite/salvage.ts";
import { rebuiltTables } from "./read/rebuilt-tables.ts";
import { objectOf, type SessionInfo, sessionColumns, sessionOfRow } from "./schema.ts";

/** One session of a database, with what its newest message says about how it was left. */
export interface ListedSession {
  readonly info: SessionInfo;
  readonly modifiedMs: number;
  /** What a head needs of the newest message; empty where it cannot be read, absent where there is none. */
  readonly lastMessage?: JsonObject;
  /** Its own row is lost: only its messages say that it was. */
  readonly isCarved?: boolean;
}

/** The sessions of one state of a database. */
export interface Listing {
  readonly sessions: ReadonlyMap<string, ListedSession>;
  readonly damage: readonly Damage[];
}

/** The sessions of a database by one query, remembered until its files change. */
export const listSessions: (path: string) => Listing = remembered(listAll, 4);

function listAll(path: string): Listing {
  const sessions = new Map<string, ListedSession>();
  const damage: Damage[] = [];
  let failure: unknown;
  try {
    const database = openForReading(path);
    try {
      damage.push(...database.damage);
      const isWhole = listRows(database, { sessions, damage });
      if (isWhole) return { sessions, damage };
    } finally {
      database.close();
    }
  } catch (error) {
    const isDamage = isRepriseError(error) ? error.code === "damaged" : isDatabaseDamage(error);
    if (!isDamage) throw error;
    failure = error;
  }
  addCarved(path, sessions);
  if (failure !== undefined && sessions.size === 0) throw failure;
  const detail = "sessions were found without the damaged table of sessions";
  damage.push({ kind: "database", offset: 0, recovered: sessions.size, detail });
  return { sessions, damage };
}

/** Lists by the query, else row by row; false where rows may be missing. */
function listRows(
  database: ReadDatabase,
  found: { readonly sessions: Map<string, ListedSession>; readonly damage: Damage[] },
): boolean {
  const keep = (row: JsonObject): void => {
    const listed = listedOf(row);
    if (listed !== undefined) found.sessions.set(listed.info.id, listed);
  };
  try {
    for (const row of database.rows(listQuery(database), limits.headBytesMax)) keep(row);
    return true;
  } catch (error) {
    if (!isDatabaseDamage(error)) throw error;
    const columns = presentColumns(database);
    const { damage } = found;
    for (const row of salvageRows(database, { table: "session", columns, damage })) keep(row);
    return false;
  }
}

function listedOf(row: JsonObject): ListedSession | undefined {
  const info = sessionOfRow(withoutExtras(row));
  if (info === undefined) return undefined;
  const times = [info.updatedMs, asNumber(row["last_part"]), asNumber(row["last_updated"])];
  const modifiedMs = Math.max(0, ...times.filter((time) => time !== undefined));
  const { last_data: data, last_updated: updated } = row;
  if (updated === null || updated === undefined) return { info, modifiedMs };
  return { info, modifiedMs, lastMessage: stateFields(data) };
}

/** Few fields are kept: a prompt's data can hold the diffs of its whole turn. */
function stateFields(data: unknown): JsonObject {
  const { role, time, error, finish, modelID, model } = objectOf(data) ?? {};
  return { role, time, error: error === undefined ? undefined : true, finish, modelID, model };
}

/** Adds the sessions that messages on the pages still name. */
function addCarved(path: string, sessions: Map<string, ListedSession>): void {
  const database = openForReading(rebuild(path, { tables: rebuiltTables }));
  try {
    const sql = `select session_id as id, min(time_created) as time_created,
      max(time_updated) as time_updated from message group by session_id`;
    for (const row of database.rows(sql)) {
      const listed = listedOf(row);
      if (listed !== undefined && !sessions.has(listed.info.id)) {
        sessions.set(listed.info.id, { ...listed, isCarved: true });
      }
    }
  } finally {
    database.close();
  }
}

function listQuery(database: ReadDatabase): string {
  const columns = presentColumns(database);
  // No such table: a database of another program, or one that was never used.
  if (columns.length === 0) return "select null where ? is null";
  const own = columns.map((name) => `s.${name} as ${name}`).join(", ");
  const hasProjects = database.columns("project").includes("worktree");
  const worktree = hasProjects
    ? "(select worktree from project p where p.id = s.project_id)"
    : "null";
  return `select ${own}, ${worktree} as worktree, m.time_updated as last_updated,
      case when octet_length(m.data) <= ? then m.data end as last_data,
      (select max(time_updated) from part where message_id = m.id) as last_part
    from session s left join message m on m.rowid = (select rowid from message
      where session_id = s.id order by time_created desc, id desc limit 1)
    order by s.time_updated desc, s.id`;
}

/** The known columns this version of the table has. */
export function presentColumns(database: ReadDatabase): readonly string[] {
  const present = new Set(database.columns("session"));
  return sessionColumns.filter((name) => present.has(name));
}

function withoutExtras(row: JsonObject): JsonObject {
  const { last_updated: _updated, last_data: _data, last_part: _part, rowid: _rowid, ...own } = row;
  return own;
}
