import { exists } from "../base/disk.ts";
import { RepriseError } from "../base/errors.ts";
import { type Connection, sqliteEngine } from "./engine.ts";

/** How long another program may hold the database before we give up. */
const busyMs = 5_000;

/** Opens an existing database for adding rows; foreign keys are enforced. Never makes a database. */
export function openForWriting(path: string): Connection {
  if (!exists(path)) throw new RepriseError("not_found", `There is no database ${path}.`);
  const { DatabaseSync } = sqliteEngine();
  const connection = new DatabaseSync(path, { timeout: busyMs });
  connection.exec(`PRAGMA busy_timeout = ${busyMs}; PRAGMA foreign_keys = ON`);
  return connection;
}

/** Runs changes as one transaction: all of them or none. */
export async function inTransaction<T>(
  connection: Connection,
  change: () => Promise<T>,
): Promise<T> {
  connection.exec("BEGIN IMMEDIATE");
  try {
    const result = await change();
    connection.exec("COMMIT");
    return result;
  } catch (error) {
    connection.exec("ROLLBACK");
    throw error;
  }
}
