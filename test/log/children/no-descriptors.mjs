// Appends while the process may open no file more, first without the lease and then with it, and tells what happened.
import { closeSync, openSync } from "node:fs";
import { SessionManager } from "reprise";

const [folder] = process.argv.slice(2);
const session = SessionManager.create(folder, folder, { id: "s", sync: "each" });
const other = SessionManager.create(folder, folder, {
  id: "t",
  sync: "each",
  leasePerAppend: true,
});
session.appendSync({ type: "note", content: "before" });
const said = [];
const open = [];
try {
  for (;;) open.push(openSync("/dev/null", "r"));
} catch (error) {
  said.push(["open", error.code]);
}
await tried("without the lease", () => other.appendSync({ type: "note", content: "x" }));
await tried("without the lease, not blocking", () => other.append({ type: "note", content: "x" }));
await tried("a large text", () => session.append({ type: "note", content: "b".repeat(300_000) }));
await tried("a new session", () => SessionManager.create(folder, folder, { id: "u" }));
for (const fd of open) closeSync(fd);
await tried("afterwards", () => other.appendSync({ type: "note", content: "kept" }));
await tried("afterwards, held", () => session.appendSync({ type: "note", content: "kept" }));
await session.close();
await other.close();
process.stdout.write(JSON.stringify(said));

async function tried(what, act) {
  try {
    await act();
    said.push([what, "done"]);
  } catch (error) {
    said.push([what, error.code, error.hint ?? error.stack]);
  }
}
