// Appends to a session in a database, one event at a time, and prints each number once it is acknowledged.
import { SqliteStore } from "../../../dist/sqlite.js";

const [, , file, session, mark, count] = process.argv;
const store = new SqliteStore(file);
for (let index = 0; index < Number(count); index += 1) {
  const [event] = await store.append(session, undefined, [
    { type: "user", content: `${mark} ${index}` },
  ]);
  process.stdout.write(`${event.id}\n`);
}
await store.close();
