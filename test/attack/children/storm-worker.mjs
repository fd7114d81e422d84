// Works on the sessions of one store until it is killed: appends, forks, rewinds, compacts, renames. Says each
// acknowledged event (`ack <session> <mark>`), each refusal (`refused <code>`), and what should not happen (`bug …`).
//
//   node storm-worker.mjs <folder> <seed> <options as JSON>
import { writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { SessionManager } from "reprise";
import { seeded } from "../../random.mjs";
import { bodyOf } from "../storm-events.mjs";

const [folder, seed, given] = process.argv.slice(2);
const { sessions, sealed, secret, staleMs } = JSON.parse(given);
const random = seeded(Number(seed));
let count = 0;

for (;;) {
  await visit(random.pick(sessions));
  // Eight that never rest would leave no time for faults.
  await pause(random.below(30));
}

/** Opens a session as a program would, does some things in it, and leaves. */
async function visit(name) {
  const options = {
    sync: random.pick(["none", "turn", "each"]),
    leasePerAppend: random.below(3) === 0,
    waitMs: random.pick([0, 50, 400]),
    leaseStaleMs: staleMs,
    ...(sealed.includes(name) && { secret }),
  };
  await attempt(async () => {
    const session = SessionManager.open(join(folder, `${name}.jsonl`), options);
    try {
      const steps = 1 + random.below(12);
      for (let step = 0; step < steps; step += 1) await attempt(() => act(session));
    } finally {
      await attempt(() => session.close());
    }
  });
}

async function act(session) {
  const what = random.below(40);
  if (what < 16) return append(session);
  if (what < 24) return burst(session);
  if (what < 30) return Promise.all([append(session), append(session), append(session)]);
  if (what < 32) return session.rewind(Math.max(1, session.getLeafId() - random.below(5)));
  if (what < 34) return session.compact({ keepTokens: 50, summarise: () => "what came before" });
  if (what < 36) return session.append({ type: "meta", title: `title ${random.below(100)}` });
  return fork(session);
}

/** Blocks the loop, so that no timer of the lease can run. */
function burst(session) {
  for (let turn = 0; turn < 30; turn += 1) {
    const { mark, body } = next();
    session.appendSync(body, { after: "any" });
    say(`ack ${session.getSessionId()} ${mark}`);
  }
}

async function append(session) {
  const { mark, body } = next();
  await session.append(body, { after: "any" });
  say(`ack ${session.getSessionId()} ${mark}`);
}

async function fork(session) {
  const made = session.fork();
  try {
    for (let turn = 0; turn < 2; turn += 1) await append(made);
  } finally {
    await made.close();
  }
}

function next() {
  count += 1;
  const mark = `${seed}-${process.pid}-${count}`;
  // Blobs are rare: what they fill must not be the disk.
  const kind = random.below(24) === 0 ? "blob" : random.pick(["note", "user", "assistant"]);
  return { mark, body: bodyOf(kind, mark) };
}

async function attempt(work) {
  try {
    await work();
  } catch (error) {
    if (error?.name === "RepriseError" && error.code !== "failed") say(`refused ${error.code}`);
    else say(`bug ${JSON.stringify(String(error?.stack ?? error))}`);
  }
}

function say(line) {
  writeSync(1, `${line}\n`);
}
