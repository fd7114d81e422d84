import { join } from "node:path";
import type { Belongings, RowChoice } from "../belongings-contract.ts";
import type { SessionRef } from "../contract.ts";
import { idsIn, sessionFiles } from "./layout.ts";
import { isFileRef } from "./locate.ts";

/** Tables that have rows of a session, its own row first; a version that has no such table is passed over. */
const tables = [
  ["session", "id"],
  ["message", "session_id"],
  ["part", "session_id"],
  ["todo", "session_id"],
  ["session_share", "session_id"],
  ["session_message", "session_id"],
  ["session_input", "session_id"],
  ["session_context_epoch", "session_id"],
  ["event_sequence", "aggregate_id"],
  ["event", "aggregate_id"],
] as const;

/** The rows of a session in its database, or the files of an older version; and what it changed in files. */
export async function belongings(ref: SessionRef): Promise<Belongings> {
  const { path, root = "", session } = ref;
  const diff = join(root, "storage", "session_diff", `${session}.json`);
  if (!isFileRef(ref)) return { files: [diff], rows: rowsIn(path, session) };
  const place = sessionFiles(path);
  const messages = idsIn(place.messages);
  return {
    files: [path, diff, ...(place.todoFile === undefined ? [] : [place.todoFile])],
    folders: [place.messages, ...messages.map(place.parts)],
  };
}

function rowsIn(database: string, value: string): readonly RowChoice[] {
  return tables.map(([table, column]) => ({ database, table, column, value }));
}
