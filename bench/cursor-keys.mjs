// The least a list of a database of Cursor's could do, as a process: the keys of its conversations.
import { Connection } from "../dist/rooms/sqlite/connection.js";

/** How many conversations there are. */
export function keysIn(path) {
  const connection = new Connection(path, { readOnly: true });
  const sql = "select key from cursorDiskKV where key >= 'composerData:' and key < 'composerData;'";
  const { length } = connection.prepare(sql).all();
  connection.close();
  return length;
}

if (process.argv[1] === import.meta.filename) keysIn(process.argv[2]);
