import { asNumber, asString, type JsonObject, parseObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import type { Damage } from "../../../model/damage.ts";
import { isDatabaseDamage, type ReadDatabase } from "../../../sqlite/database.ts";
import { openForReading } from "../../../sqlite/open.ts";
import { rebuild } from "../../../sqlite/rebuild.ts";
import { presentColumns } from "../list-sessions.ts";
import { type SessionInfo, sessionOfRow } from "../schema.ts";
import { rebuiltTables } from "./rebuilt-tables.ts";
import { type Keys, orderedKeys, salvagedKeys } from "./row-keys.ts";
import {
  addStamps,
  type ReadMessage,
  type ReadParts,
  type Source,
  type Stamp,
  stampModulus,
} from "./source.ts";

const short =
  "case when octet_length(data) <= ? then data end as data, octet_length(data) as bytes";
const stamped = `${short}, time_updated % ${stampModulus} as written`;
const messageSql = `select id, ${short} from message where rowid = ?`;
const partRowSql = `select id, ${stamped} from part where rowid = ?`;
const partsSql = `select id, ${stamped} from part where message_id = ? order by id`;

/**
 * One session of a database. Only the places of its rows are held; rows are fetched when asked for.
 * With `salvage`, tables are walked without their indexes and every row is fetched by itself.
 */
export class DatabaseSource implements Source {
  readonly session: SessionInfo;
  readonly damage: readonly Damage[];
  #database: ReadDatabase;
  readonly #keys: Keys;

  constructor(
    path: string,
    options: { readonly session: string; readonly salvage: boolean; readonly rebuilt?: boolean },
  ) {
    const tables = rebuiltTables;
    this.#database = openForReading(options.rebuilt ? rebuild(path, { tables }) : path);
    try {
      const damage: Damage[] = [...this.#database.damage];
      const read = options.salvage ? salvagedKeys : orderedKeys;
      this.#keys = read(this.#database, { session: options.session, damage });
      this.session = sessionRow(this.#database, options.session, damage);
      this.damage = damage;
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  get count(): number {
    return this.#keys.messages.length;
  }

  info(index: number): JsonObject | undefined {
    const found = this.#messageRow(index, []);
    return found?.info;
  }

  parts(index: number): readonly JsonObject[] {
    const id = asString(this.#messageRow(index, [])?.info["id"]);
    return id === undefined ? [] : this.#parts(id, index, []).parts;
  }

  message(index: number): ReadMessage | undefined {
    this.#renew();
    const damage: Damage[] = [];
    const row = this.#messageRow(index, damage);
    const id = asString(row?.info["id"]);
    if (row === undefined || id === undefined) return undefined;
    const { parts, bytes, stamp } = this.#parts(id, index, damage);
    return { id, native: { info: row.info, parts }, damage, bytes: bytes + row.bytes, stamp };
  }

  *summaries(): Generator<number> {
    if (this.#keys.parts !== undefined) {
      for (let index = this.count - 1; index >= 0; index -= 1) yield index;
      return;
    }
    const sql = `select rowid as rowid from message where session_id = ?
      and instr(data, '"summary":true') > 0 order by time_created desc, id desc`;
    for (const row of this.#database.rows(sql, this.session.id)) {
      yield this.#keys.messages.lastIndexOf(asNumber(row["rowid"]) ?? -1);
    }
  }

  indexOf(messageId: string): number {
    if (this.#keys.ids !== undefined) return this.#keys.ids.indexOf(messageId);
    const row = this.#database.first("select rowid as rowid from message where id = ?", messageId);
    const rowid = asNumber(row?.["rowid"]);
    return rowid === undefined ? -1 : this.#keys.messages.indexOf(rowid);
  }

  stamp(count: number): Stamp {
    // Hashing every row would read every page; count and times change with any write the program makes.
    const row =
      count === 0 || this.#keys.parts !== undefined
        ? undefined
        : this.#database.first(
            `select count(*) as parts, sum(p.time_updated % ${stampModulus}) as times
              from message m join part p on p.message_id = m.id where m.session_id = ?
              and (m.time_created, m.id) <= (select time_created, id from message where rowid = ?)`,
            this.session.id,
            this.#keys.messages[count - 1] ?? null,
          );
    return { parts: asNumber(row?.["parts"]) ?? 0, times: asNumber(row?.["times"]) ?? 0 };
  }

  todos(): readonly JsonObject[] {
    try {
      if (this.#database.columns("todo").length === 0) return [];
      const sql = "select content, status, priority, position from todo where session_id = ?";
      return [...this.#database.rows(`${sql} order by position limit 1000`, this.session.id)];
    } catch (error) {
      if (isDatabaseDamage(error)) return [];
      throw error;
    }
  }

  /** Whether the file changed under a connection that cannot see it. */
  isStale(): boolean {
    return this.#database.openedAs === "immutable" && this.#database.isStale();
  }

  close(): void {
    this.#database.close();
  }

  /** Row ids stay what they are, so reading continues in the new state. */
  #renew(): void {
    if (!this.isStale()) return;
    this.#database.close();
    this.#database = openForReading(this.#database.path);
  }

  #messageRow(
    index: number,
    damage: Damage[],
  ): { readonly info: JsonObject; readonly bytes: number } | undefined {
    const rowid = this.#keys.messages[index];
    const known = this.#keys.ids?.[index];
    let row: JsonObject | undefined;
    try {
      row = rowid === undefined ? undefined : this.#fetch(messageSql, rowid);
    } catch (error) {
      if (known === undefined || !isDatabaseDamage(error)) throw error;
      damage.push(lost("message", known, index));
    }
    const id = known ?? asString(row?.["id"]);
    if (id === undefined) return undefined;
    const data = row === undefined ? undefined : dataOf(row, { index, damage, what: "message" });
    return {
      info: { ...data, id, sessionID: this.session.id },
      bytes: asNumber(row?.["bytes"]) ?? 0,
    };
  }

  #parts(message: string, index: number, damage: Damage[]): ReadParts {
    const parts: JsonObject[] = [];
    let bytes = 0;
    let stamp: Stamp = { parts: 0, times: 0 };
    for (const row of this.#partRows(message, index, damage)) {
      bytes += asNumber(row["bytes"]) ?? 0;
      stamp = addStamps(stamp, { parts: 1, times: asNumber(row["written"]) ?? 0 });
      const data = dataOf(row, { index, damage, what: "part" });
      const id = asString(row["id"]);
      if (data === undefined || id === undefined) continue;
      parts.push({ ...data, id, sessionID: this.session.id, messageID: message });
    }
    return { parts, bytes, stamp };
  }

  *#partRows(message: string, index: number, damage: Damage[]): Generator<JsonObject> {
    const salvaged = this.#keys.parts;
    if (salvaged === undefined) {
      yield* this.#database.rows(partsSql, limits.foreignLineBytes, message);
      return;
    }
    for (const rowid of salvaged.get(message) ?? []) {
      try {
        const row = this.#fetch(partRowSql, rowid);
        if (row !== undefined) yield row;
      } catch (error) {
        if (!isDatabaseDamage(error)) throw error;
        damage.push(lost("part", `row ${rowid}`, index));
      }
    }
  }

  #fetch(sql: string, rowid: number): JsonObject | undefined {
    return this.#database.first(sql, limits.foreignLineBytes, rowid);
  }
}

function sessionRow(database: ReadDatabase, id: string, damage: Damage[]): SessionInfo {
  try {
    const columns = presentColumns(database);
    if (columns.length > 0) {
      const row = database.first(`select ${columns.join(", ")} from session where id = ?`, id);
      const project = asString(row?.["project_id"]);
      const worktree =
        project === undefined || database.columns("project").length === 0
          ? undefined
          : database.first("select worktree from project where id = ?", project)?.["worktree"];
      const session = row && sessionOfRow(worktree === undefined ? row : { ...row, worktree });
      if (session !== undefined) return session;
    }
    damage.push({ kind: "missing_file", offset: 0, recovered: 0, detail: "no such session row" });
  } catch (error) {
    if (!isDatabaseDamage(error)) throw error;
    const detail = "the session's row cannot be read";
    damage.push({ kind: "database", offset: 0, recovered: 0, detail });
  }
  return { id, native: { id } };
}

function dataOf(
  row: JsonObject,
  place: { readonly index: number; readonly damage: Damage[]; readonly what: string },
): JsonObject | undefined {
  const text = row["data"];
  const data = typeof text === "string" ? parseObject(text) : undefined;
  if (data !== undefined) return data;
  const kind = text === null ? "too_long" : "bad_json";
  const detail = `${place.what} ${asString(row["id"]) ?? "without an id"}`;
  place.damage.push({ kind, offset: place.index + 1, recovered: 0, detail });
  return undefined;
}

function lost(what: string, name: string, index: number): Damage {
  return {
    kind: "database",
    offset: index + 1,
    recovered: 0,
    detail: `${what} ${name} is on a damaged page`,
  };
}
