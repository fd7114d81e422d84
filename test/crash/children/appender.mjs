// Appends with the lease taken for each append, as short-lived processes do; prints the ids it was given.
import { SessionManager } from "reprise";

const [file, name, count] = process.argv.slice(2);
const session = SessionManager.open(file, { sync: "none", leasePerAppend: true, waitMs: 60_000 });
const ids = [];
for (let turn = 0; turn < Number(count); turn += 1) {
  const body = { type: "note", content: `${name}-${turn}` };
  // Both ways of waiting for the lease.
  const event = turn % 2 === 0 ? session.appendSync(body) : await session.append(body);
  ids.push(event.id);
}
await session.close();
process.stdout.write(JSON.stringify(ids));
