// Appends while the process may open no file more, with idle sessions beside it and without, and tells what happened.
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
// Opened before: the pack that large texts go to stays.
await session.append({ type: "note", content: "b".repeat(100_000) });
const said = [];
const open = [];
said.push(["open", fill()]);
await tried("without the lease", () => other.appendSync({ type: "note", content: "x" }));
fill();
await tried("without the lease, not blocking", () => other.append({ type: "note", content: "x" }));
fill();
await tried("a large text", () => session.append({ type: "note", content: "c".repeat(100_000) }));
await session.close();
await other.close();
fill();
await tried("a new session", () => SessionManager.create(folder, folder, { id: "u" }));
await tried("an old one", () => SessionManager.open("s", { dir: folder }));
await tried("a list", () => SessionManager.list(folder, folder));
for (const fd of open) closeSync(fd);
await tried("afterwards", async () => {
  const again = SessionManager.open("s", { dir: folder });
  again.appendSync({ type: "note", content: "kept" });
  await again.close();
});
process.stdout.write(JSON.stringify(said));

function fill() {
  try {
    for (;;) open.push(openSync("/dev/null", "r"));
  } catch (error) {
    return error.code;
  }
}

async function tried(what, act) {
  try {
    await act();
    said.push([what, "done"]);
  } catch (error) {
    said.push([what, error.code, error.hint ?? error.stack]);
  }
}
