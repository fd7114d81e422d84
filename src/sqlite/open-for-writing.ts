import { setImmediate as nextTurn } from "node:timers/promises";
import { RepriseError } from "../base/errors.ts";
import { Connection } from "./connection.ts";
import { checkRegularFiles } from "./regular-files.ts";

/** How long another program may hold the database before we give up. */
const busyMs = 5_000;

/** How often a database that seems read-only is tried again, once closed readers are collected. */
const tries = 3;

/** Opens an existing database for adding rows; foreign keys are enforced. Never makes a database. */
export async function openForWriting(path: string): Promise<Connection> {
  checkRegularFiles(path);
  for (let attempt = 1; ; attempt += 1) {
    const connection = new Connection(path, { busyMs });
    try {
      connection.exec("pragma foreign_keys = on; pragma synchronous = full");
      connection.exec("BEGIN IMMEDIATE; ROLLBACK");
      return connection;
    } catch (cause) {
      connection.close();
      if (!isReadOnly(cause)) throw cause;
      if (attempt === tries) {
        throw new RepriseError("no_permission", `${path} cannot be written.`, { cause });
      }
      await collectClosed();
    }
  }
}

function isReadOnly(error: unknown): boolean {
  return error instanceof Error && error.message.includes("readonly database");
}

/**
 * Lets go of connections that were closed. With the package a closed reader lives on until its statements
 * are collected as garbage, and as long as it does, SQLite gives its read-only shared memory to every
 * connection of this process.
 */
async function collectClosed(): Promise<void> {
  const { Session } = await import("node:inspector/promises");
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.collectGarbage");
  session.disconnect();
  for (let turn = 0; turn < 4; turn += 1) await nextTurn();
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
