// Takes the lease of a session and keeps it, because it goes on writing, until its input ends.
import { SessionManager } from "reprise";

const [file] = process.argv.slice(2);
const session = SessionManager.open(file, { sync: "none" });
session.appendSync({ type: "note", content: "mine" });
process.stdout.write("holding\n");
const beat = setInterval(() => session.appendSync({ type: "note", content: "still mine" }), 200);
process.stdin.on("end", async () => {
  clearInterval(beat);
  await session.close();
});
process.stdin.resume();
