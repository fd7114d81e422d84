// Appends at full speed until it is killed. Prints `ack <id> <nonce>` only after an append was acknowledged.
import { writeSync } from "node:fs";
import { SessionManager } from "../../../dist/index.js";

const [file, seed] = process.argv.slice(2);
let state = Number(seed) >>> 0;
/** xorshift32: the same seed gives the same events. */
function random(below) {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % below;
}

const session = SessionManager.open(file, { sync: "turn" });
for (let turn = 0; ; turn += 1) {
  const nonce = `${seed}-${turn}`;
  const event = await session.append(body(nonce));
  writeSync(1, `ack ${event.id} ${nonce}\n`);
}

function body(nonce) {
  switch (random(12)) {
    case 0:
      return { type: "user", content: nonce };
    case 1:
      // A line of megabytes: a kill may tear it.
      return {
        type: "note",
        content: [text(nonce), ...Array.from({ length: 60 }, () => text("x".repeat(60_000)))],
      };
    case 2:
      // Over the inline limit: goes to a blob.
      return { type: "note", content: [text(nonce), text(`${nonce}${"b".repeat(80_000)}`)] };
    case 3:
      return { type: "meta", title: nonce };
    default:
      return { type: "note", content: [text(nonce), text("y".repeat(random(4000)))] };
  }
}

function text(value) {
  return { type: "text", text: value };
}
