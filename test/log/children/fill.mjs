// Appends until the file may not grow any more, then once more with less, and tells what happened.
import { SessionManager } from "reprise";

const [folder] = process.argv.slice(2);
const session = SessionManager.create(folder, folder, { id: "s", sync: "each" });
const acknowledged = [];
let failure;
for (let turn = 0; failure === undefined && turn < 200; turn += 1) {
  try {
    acknowledged.push(session.appendSync({ type: "note", content: "n".repeat(1_000) }).id);
  } catch (error) {
    failure = error;
  }
}
try {
  // What is left of the space takes a short line.
  acknowledged.push(session.appendSync({ type: "note", content: "" }).id);
} catch {}
await session.close();
process.stdout.write(JSON.stringify({ acknowledged, code: failure?.code, hint: failure?.hint }));
