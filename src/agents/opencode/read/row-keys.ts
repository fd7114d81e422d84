import { asNumber, asString } from "../../../base/json.ts";
import type { Damage } from "../../../model/damage.ts";
import { isDatabaseDamage, type ReadDatabase } from "../../../sqlite/database.ts";
import { salvageRows } from "../../../sqlite/salvage.ts";

/** Where the rows of one session are, in native order. */
export interface Keys {
  /** Row ids of the messages; 0 for one whose row is lost while parts of it are there. */
  readonly messages: readonly number[];
  /** Only of a salvage: the messages' ids, which then need not be read again. */
  readonly ids?: readonly string[];
  /** Only of a salvage: row ids of the parts by message, in order. */
  readonly parts?: ReadonlyMap<string, readonly number[]>;
}

interface Place {
  readonly session: string;
  readonly damage: Damage[];
}

/** The keys by index, as the program itself reads them. */
export function orderedKeys(database: ReadDatabase, place: Place): Keys {
  if (database.columns("message").length === 0 || database.columns("part").length === 0) {
    const detail = "the tables of OpenCode are missing";
    place.damage.push({ kind: "database", offset: 0, recovered: 0, detail });
    return { messages: [] };
  }
  const messages: number[] = [];
  const sql = "select rowid as rowid from message where session_id = ? order by time_created, id";
  for (const row of database.rows(sql, place.session)) messages.push(asNumber(row["rowid"]) ?? 0);
  return { messages };
}

/** The keys that can still be read by walking the tables around damaged pages. */
export function salvagedKeys(database: ReadDatabase, place: Place): Keys {
  const found = new Map<string, { rowid: number; time: number }>();
  const columns = ["id", "session_id", "time_created"];
  for (const row of walk(database, { table: "message", columns, damage: place.damage })) {
    const id = asString(row["id"]);
    if (id === undefined || row["session_id"] !== place.session) continue;
    found.set(id, { rowid: asNumber(row["rowid"]) ?? 0, time: asNumber(row["time_created"]) ?? 0 });
  }
  const parts = new Map<string, { id: string; rowid: number }[]>();
  const partColumns = [...columns, "message_id"];
  for (const row of walk(database, { table: "part", columns: partColumns, damage: place.damage })) {
    const message = asString(row["message_id"]);
    if (message === undefined || row["session_id"] !== place.session) continue;
    const part = { id: asString(row["id"]) ?? "", rowid: asNumber(row["rowid"]) ?? 0 };
    const siblings = parts.get(message);
    if (siblings === undefined) parts.set(message, [part]);
    else siblings.push(part);
    // The message's own row is lost: its first part says when it was.
    if (!found.has(message)) {
      found.set(message, { rowid: 0, time: asNumber(row["time_created"]) ?? 0 });
      const detail = `message ${message} is lost, parts of it are not`;
      place.damage.push({ kind: "database", offset: 0, recovered: 1, detail });
    }
  }
  const ordered = [...found].sort(
    ([leftId, left], [rightId, right]) => left.time - right.time || compare(leftId, rightId),
  );
  return {
    messages: ordered.map(([, { rowid }]) => rowid),
    ids: ordered.map(([id]) => id),
    parts: new Map(
      [...parts].map(([message, rows]) => [
        message,
        rows.sort((left, right) => compare(left.id, right.id)).map(({ rowid }) => rowid),
      ]),
    ),
  };
}

/** Says that walking the tables is not enough: rows behind the damage can only be carved. */
export class TableCutOff extends Error {}

function* walk(...[database, query]: Parameters<typeof salvageRows>) {
  const before = query.damage.length;
  try {
    yield* salvageRows(database, query);
  } catch (error) {
    // Damage in the schema can make a table or a column unknown.
    if (!isDatabaseDamage(error) && !/no such (table|column)/.test(String(error))) throw error;
    throw new TableCutOff(`table ${query.table} cannot be read`, { cause: error });
  }
  if (query.damage.slice(before).some((damage) => damage.length === undefined)) {
    throw new TableCutOff(`table ${query.table} cannot be read to its end`);
  }
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
