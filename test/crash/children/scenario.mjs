// Walks through everything that has a failpoint, on a folder whose session `s` may have a damaged tail.
// Prints `ack <session> <id> <nonce>` after each acknowledged append.
import { existsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "reprise";
import { folderHome } from "../../../dist/rooms/store/home.js";
import { removeSession } from "../../../dist/rooms/store/remove.js";

const [folder] = process.argv.slice(2);
const file = join(folder, "s.jsonl");
const session = existsSync(file)
  ? SessionManager.open(file)
  : SessionManager.create(folder, folder, { id: "s" });

const first = await append(session, "user");
await append(session, "note");
await append(session, "blob");
await append(session, "large");
const fork = session.fork(first.id);
await append(fork, "user");
await fork.close();
for (let turn = 0; turn < 3; turn += 1) {
  await append(session, "user");
  await append(session, "assistant");
}
await session.compact({ keepTokens: 10, summarise: () => "summary" });
await append(session, "user");
await session.close();
await removeBase();
await removeBase();
writeSync(1, "done\n");

/** A session goes; what was said in it stays readable in its fork. */
async function removeBase() {
  const base = SessionManager.create(folder, folder);
  const nonce = `base-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const said = await base.append({ type: "user", content: nonce });
  const upon = base.fork();
  writeSync(1, `ack ${upon.getSessionId()} ${said.id} ${nonce}\n`);
  await append(upon, "user");
  await upon.close();
  await base.close();
  removeSession(folderHome(folder), base.getSessionFile(), { archive: false });
}

async function append(target, kind) {
  const nonce = `${kind}-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const event = await target.append(body(kind, nonce));
  writeSync(1, `ack ${target.getSessionId()} ${event.id} ${nonce}\n`);
  return event;
}

function body(kind, nonce) {
  if (kind === "blob") return { type: "note", content: `${nonce} ${"b".repeat(100_000)}` };
  if (kind === "large") return { type: "note", content: `${nonce} ${"l".repeat(400_000)}` };
  if (kind === "assistant") return { type: "assistant", content: nonce, endTurn: true };
  return { type: kind, content: nonce };
}
