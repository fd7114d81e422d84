// Streams numbered words into a session until it is killed; before each it notes in a file when it said it, by a clock
// that all processes share. Every few hundred words the message ends, or thinking and saying take turns.
import { openSync, writeSync } from "node:fs";
import { SessionManager } from "reprise";

const [folder, name, everyMs, wordsAtOnce] = process.argv.slice(2);
const session = SessionManager.create(folder, folder, { id: name });
const given = openSync(`${folder}/${name}.given`, "a");
session.appendSync({ type: "user", content: "begin" });
let out = session.stream({ model: "m" });
let word = 0;

function say() {
  const first = word + 1;
  word += Number(wordsAtOnce);
  writeSync(given, `${word} ${process.hrtime.bigint()}\n`);
  let delta = "";
  for (let next = first; next <= word; next += 1) delta += `${next} `;
  if (Math.floor(first / 97) % 3 === 0) out.thinking(delta);
  else out.text(delta);
  if (Math.floor(first / 61) === Math.floor(word / 61)) return;
  void out.end({ stopReason: "end_turn" });
  out = session.stream({ model: "m" });
}

setInterval(say, Number(everyMs));
process.stdout.write("ready\n");
