// Appends lines of a given length at full speed until it is told to stop by the end of its input.
import { SessionManager } from "reprise";

const [file, length] = process.argv.slice(2);
const session = SessionManager.open(file, { sync: "none" });
const filler = "w".repeat(Number(length));
let isOver = false;
process.stdin.on("end", () => {
  isOver = true;
});
process.stdin.resume();
for (let count = 0; !isOver; count += 1) {
  session.appendSync({ type: "note", content: filler });
  if (count === 0) process.stdout.write("writing\n");
  // The end of the input is heard between two bursts.
  if (count % 64 === 0) await new Promise(setImmediate);
}
const last = session.getLeafId();
await session.close();
process.stdout.write(`last ${last}\n`);
