// Appends at full speed until it is killed. Prints `ack <id> <nonce>` only after an append was acknowledged.
import { writeSync } from "node:fs";
import { SessionManager } from "reprise";

const [file, seed] = process.argv.slice(2);
let state = Number(seed) >>> 0;
/** xorshift32: the same seed gives the same events. */
function random(below) {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % below;
}

const session = SessionManager.open(file, { sync: Number(seed) % 2 === 0 ? "each" : "turn" });
for (let turn = 0; ; turn += 1) {
  const nonce = `${seed}-${turn}`;
  const event = await session.append(body(nonce));
  writeSync(1, `ack ${event.id} ${nonce}\n`);
}

function body(nonce) {
  const roll = random(100);
  if (roll < 10) return { type: "user", content: nonce };
  if (roll < 18) return { type: "meta", title: nonce };
  // Over the inline limit: goes to a blob.
  if (roll < 24) {
    return { type: "note", content: [text(nonce), text(`${nonce}${"b".repeat(80_000)}`)] };
  }
  // A line of megabytes: a kill may tear it.
  if (roll < 26) {
    const parts = Array.from({ length: 60 }, () => text("x".repeat(60_000)));
    return { type: "note", content: [text(nonce), ...parts] };
  }
  return { type: "note", content: [text(nonce), text("y".repeat(random(4000)))] };
}

function text(value) {
  return { type: "text", text: value };
}
