import type { Belongings } from "./belongings-contract.ts";
import type { SessionRef } from "./contract.ts";

/** What belongs to a session that is one file and nothing else. */
export async function wholeFile({ path }: SessionRef): Promise<Belongings> {
  return { files: [path] };
}

/** The files of a database that is one session and nothing else: itself, and what SQLite puts beside it. */
export function databaseFiles(path: string): readonly string[] {
  return ["", "-wal", "-shm", "-journal"].map((side) => `${path}${side}`);
}
