import { renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CarvedRow, carveRows } from "./carve.ts";
import { Connection } from "./connection.ts";
import { mendCopy } from "./mend.ts";
import { type OpenOptions, walReport } from "./open.ts";
import { privateCopy } from "./private-copy.ts";

/** A table to be filled from rows without a schema. The first column is the key. */
export interface RebuiltTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The column that says the newer of two rows with one key. */
  readonly newest: string;
  /** The columns rows are asked for by. */
  readonly indexes: readonly string[];
  readonly accepts: (row: CarvedRow) => boolean;
}

/**
 * Makes a new database, in the private folder, of all rows that lie on the pages of one whose schema
 * or trees are damaged, and returns its path. The source stays as it is.
 */
export function rebuild(
  path: string,
  options: OpenOptions & { readonly tables: readonly RebuiltTable[] },
): string {
  const report = walReport(path);
  const finish = (copy: string): void => {
    mendCopy(copy, report && { path: `${copy}-wal`, report });
    const made = join(dirname(copy), "rebuilt.db");
    fill(made, carveRows(copy), options.tables);
    for (const side of ["-wal", "-shm", "-journal"]) rmSync(copy + side, { force: true });
    renameSync(made, copy);
  };
  return privateCopy(path, { ...options, variant: "-rebuilt", finish });
}

function fill(path: string, rows: Iterable<CarvedRow>, tables: readonly RebuiltTable[]): void {
  const database = new Connection(path);
  try {
    // Derived data: it is made again whenever it is missing.
    database.exec("pragma journal_mode = off; pragma synchronous = off; begin");
    const inserts = tables.map(({ name, columns, newest }) => {
      const [key, ...others] = columns;
      database.exec(`create table ${name} (${key} primary key, ${others.join(", ")})`);
      const update = others.map((column) => `${column} = excluded.${column}`).join(", ");
      return database.prepare(
        `insert into ${name} values (${columns.map(() => "?").join(", ")})
          on conflict do update set ${update} where excluded.${newest} > ${newest}`,
      );
    });
    for (const row of rows) {
      const index = tables.findIndex((table) => table.accepts(row));
      if (index >= 0) inserts[index]?.run(...row);
    }
    for (const { name, indexes } of tables) {
      for (const column of indexes) {
        database.exec(`create index ${name}_${column} on ${name} (${column})`);
      }
    }
    database.exec("commit");
  } finally {
    database.close();
  }
}
