import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import type { RowChoice } from "../agents/belongings-contract.ts";
import { exists } from "../base/disk.ts";
import { RepriseError } from "../base/errors.ts";
import { isObject } from "../base/json.ts";
import type { Connection, SqlValue } from "../sqlite/connection.ts";
import { inTransaction, openForWriting } from "../sqlite/open-for-writing.ts";

/** A row as it is kept: the values of its columns, written so that each comes back as it was. */
interface KeptRow {
  readonly table: string;
  readonly rowid?: string;
  readonly values: Readonly<Record<string, KeptValue>>;
}

type KeptValue =
  | string
  | null
  | { readonly int: string }
  | { readonly real: number }
  | { readonly blob: string };

/** Keeps the chosen rows of one database in a file, and removes them where `remove` says so; says how many there are. */
export async function takeRows(
  choices: readonly RowChoice[],
  options: { readonly file: string; readonly remove: boolean },
): Promise<number> {
  const database = choices[0]?.database;
  if (database === undefined) return 0;
  const connection = await openForWriting(database);
  try {
    // Rows lead to each other in every direction: they are whole again when all are there.
    connection.exec("pragma foreign_keys = off");
    return await inTransaction(connection, async () => {
      const present = choices.filter((choice) => hasColumn(connection, choice));
      if (!options.remove) {
        writeFileSync(options.file, "", { flag: "wx", mode: 0o600 });
        let count = 0;
        for (const choice of present) count += keepRows(connection, choice, options.file);
        appendFileSync(options.file, "", { flush: true });
        return count;
      }
      const before = changesOf(connection);
      let count = 0;
      for (const choice of present.toReversed()) {
        const sql = `delete from ${quoted(choice.table)} where ${conditionOf(choice)}`;
        count += connection.prepare(sql).run(...parametersOf(choice));
      }
      if (changesOf(connection) - before !== count) throw changesMore(database);
      return count;
    });
  } finally {
    connection.close();
  }
}

/** How many rows this connection changed, those changed by triggers included. */
function changesOf(connection: Connection): number {
  const row = connection.prepare("select total_changes() as n").get();
  return isObject(row) ? Number(row["n"]) : 0;
}

/** What a trigger changes is not kept, so that undo could not bring it back. */
function changesMore(database: string): RepriseError {
  return new RepriseError("unsupported", `${database} changes other rows when some are deleted.`, {
    hint: "A trigger in it does that, and undo could not bring these back. Nothing was deleted.",
  });
}

/** How many rows are chosen. */
export async function countRows(choices: readonly RowChoice[]): Promise<number> {
  const [first] = choices;
  if (first === undefined) return 0;
  const connection = await openForWriting(first.database);
  try {
    return choices
      .filter((choice) => hasColumn(connection, choice))
      .reduce((sum, choice) => {
        const sql = `select count(*) as n from ${quoted(choice.table)} where ${conditionOf(choice)}`;
        const row = connection.prepare(sql).get(...parametersOf(choice));
        return sum + (isObject(row) ? Number(row["n"]) : 0);
      }, 0);
  } finally {
    connection.close();
  }
}

/** Puts kept rows back, all or none; `conflict` where others have their places. */
export async function putRowsBack(database: string, file: string): Promise<number> {
  if (!exists(database))
    throw new RepriseError("conflict", `${database} is gone; nothing was brought back.`);
  const rows = readFileSync(file, "utf8").split("\n").filter(Boolean);
  const connection = await openForWriting(database);
  try {
    connection.exec("pragma foreign_keys = off");
    return await inTransaction(connection, async () => {
      let count = 0;
      for (const line of rows) count += insert(connection, JSON.parse(line) as KeptRow, database);
      return count;
    });
  } finally {
    connection.close();
  }
}

function insert(connection: Connection, row: KeptRow, database: string): number {
  const values: Readonly<Record<string, KeptValue>> =
    row.rowid === undefined ? row.values : { rowid: { int: row.rowid }, ...row.values };
  const names = Object.keys(values);
  const parameters = names.map((name) => givenValue(values[name]!));
  const same = names.map((name) => `${quoted(name)} is ?`).join(" and ");
  const table = quoted(row.table);
  if (connection.prepare(`select 1 from ${table} where ${same}`).get(...parameters) !== undefined)
    return 0;
  const places = names.map(() => "?").join(", ");
  const columns = names.map(quoted).join(", ");
  try {
    return connection
      .prepare(`insert into ${table} (${columns}) values (${places})`)
      .run(...parameters);
  } catch (cause) {
    throw new RepriseError(
      "conflict",
      `${database} has other rows in their place; nothing was brought back.`,
      {
        cause,
      },
    );
  }
}

function keepRows(connection: Connection, choice: RowChoice, file: string): number {
  const from = `from ${quoted(choice.table)} where ${conditionOf(choice)}`;
  const isRowid = hasRowid(connection, choice.table);
  const sql = `select ${isRowid ? 'rowid as "reprise:rowid", ' : ""}* ${from}`;
  let count = 0;
  for (const row of connection
    .prepare(sql)
    .readBigInts()
    .iterate(...parametersOf(choice))) {
    const { "reprise:rowid": rowid, ...columns } = row as Record<string, SqlValue>;
    const values = Object.fromEntries(
      Object.entries(columns).map(([name, value]) => [name, keptValue(value)]),
    );
    const kept: KeptRow = {
      table: choice.table,
      ...(typeof rowid === "bigint" && { rowid: String(rowid) }),
      values,
    };
    appendFileSync(file, `${JSON.stringify(kept)}\n`);
    count += 1;
  }
  return count;
}

function keptValue(value: SqlValue): KeptValue {
  if (typeof value === "bigint") return { int: String(value) };
  if (typeof value === "number") return { real: value };
  return value instanceof Uint8Array ? { blob: Buffer.from(value).toString("base64") } : value;
}

function givenValue(value: KeptValue): SqlValue {
  if (value === null || typeof value === "string") return value;
  if ("int" in value) return BigInt(value.int);
  return "real" in value ? value.real : Buffer.from(value.blob, "base64");
}

function hasColumn(connection: Connection, { table, column }: RowChoice): boolean {
  const rows = connection
    .prepare("select 1 from pragma_table_info(?) where name = ?")
    .all(table, column);
  return rows.length > 0;
}

/** A table whose rows have a number that no column of theirs holds. */
function hasRowid(connection: Connection, table: string): boolean {
  const columns = connection
    .prepare("select name from pragma_table_info(?) where pk = 1 and upper(type) = 'INTEGER'")
    .all(table);
  if (columns.length > 0) return false;
  try {
    connection.prepare(`select rowid from ${quoted(table)} limit 1`).all();
    return true;
  } catch {
    return false;
  }
}

function conditionOf({ column, beginsWith }: RowChoice): string {
  return beginsWith ? `substr(${quoted(column)}, 1, ?) = ?` : `${quoted(column)} = ?`;
}

function parametersOf({ value, beginsWith }: RowChoice): readonly SqlValue[] {
  return beginsWith ? [value.length, value] : [value];
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
