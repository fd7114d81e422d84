// Appends at full speed under a lease that others take after a short silence, until its input ends. Prints
// `ack <id> <nonce>` after an append was acknowledged, `lost <nonce>` after lease_lost, `holds` when it took the lease.
import { writeSync } from "node:fs";
import { SessionManager } from "reprise";

const [file, name, seed, staleMs] = process.argv.slice(2);
let state = (Number(seed) * 2_654_435_761 + 1) >>> 0;
/** xorshift32: the same seed gives the same events. */
function random(below) {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % below;
}

let isOver = false;
process.stdin.on("end", () => {
  isOver = true;
});
process.stdin.resume();

const options = { leaseStaleMs: Number(staleMs), leaseIdleMs: 20, waitMs: 20 };
const sync = ["none", "turn", "each"][random(3)];
const session = SessionManager.open(file, { ...options, sync, leasePerAppend: random(4) === 0 });
const taken = { after: "any" };
for (let turn = 0; !isOver; turn += 1) {
  const nonce = `${name}-${turn}`;
  try {
    const body = random(8) === 0 ? { type: "user", content: nonce } : note(nonce);
    const event =
      random(2) === 0 ? session.appendSync(body, taken) : await session.append(body, taken);
    writeSync(1, `ack ${event.id} ${nonce}\n`);
  } catch (error) {
    if (error.code === "lease_lost") writeSync(1, `lost ${nonce}\n`);
    else if (error.code !== "session_busy") {
      writeSync(1, `failed ${nonce} ${error.code} ${JSON.stringify(String(error.stack))}\n`);
    }
  }
  // The end of the input is heard between two bursts, and now and then others get their turn.
  if (turn % 16 === 0) await new Promise(setImmediate);
  if (random(200) === 0) await new Promise((resolve) => setTimeout(resolve, 30));
}
await session.close();
writeSync(1, "end\n");

function note(nonce) {
  return { type: "note", content: [text(nonce), text("y".repeat(random(2_000)))] };
}

function text(value) {
  return { type: "text", text: value };
}
