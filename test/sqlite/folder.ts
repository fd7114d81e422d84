import { readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Connection } from "../../src/sqlite/connection.ts";
import { hasCompleteEngine } from "../../src/sqlite/engine.ts";

/** Names, sizes and times of everything below a folder, and the folder's own time. */
export function stateOf(folder: string): Record<string, string> {
  const state: Record<string, string> = { ".": `${statSync(folder, { bigint: true }).mtimeNs}` };
  for (const name of readdirSync(folder, { recursive: true }) as string[]) {
    const stat = statSync(join(folder, name), { bigint: true });
    state[name] = `${stat.size} ${stat.mtimeNs} ${stat.ino}`;
  }
  return state;
}

/** What a program of this Node requires to open a database. */
export const engineModule = hasCompleteEngine(process.versions.node)
  ? "node:sqlite"
  : createRequire(import.meta.url).resolve("@photostructure/sqlite");

/** A database opened as its owner would. */
export function owned(path: string): Connection {
  return new Connection(path);
}

/** A table `note` with texts long enough to fill pages. */
export function fillNotes(database: Connection, options: { from?: number; count: number }): void {
  database.exec("create table if not exists note (id text primary key, text text)");
  database.exec("begin");
  const from = options.from ?? 0;
  for (let index = from; index < from + options.count; index += 1) {
    // No prepared statement: the package keeps a database open until its statements are collected.
    const text = `text ${index} `.repeat(40);
    database.exec(`insert into note values ('n${String(index).padStart(5, "0")}', '${text}')`);
  }
  database.exec("commit");
}
