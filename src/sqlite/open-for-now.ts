import type { ReadDatabase } from "./database.ts";
import { openForReading } from "./open.ts";

let held: { readonly path: string; readonly database: ReadDatabase } | undefined;

/**
 * Opens a database for a caller who is done with it when it returns, and does not close it: who asks again before the
 * event loop turns gets the same one, if nothing changed. A list reads thirty heads of one database in a row, which took
 * twice as long with an opening for each.
 */
export function openForNow(path: string): ReadDatabase {
  if (held?.path === path && !held.database.isStale()) return held.database;
  giveUp();
  const database = openForReading(path);
  held = { path, database };
  setImmediate(giveUp);
  return database;
}

function giveUp(): void {
  held?.database.close();
  held = undefined;
}
