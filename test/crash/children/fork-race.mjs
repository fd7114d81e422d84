// Two threads meet at a session again and again: one forks it while the other removes it. Prints what came of it.
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { SessionManager } from "reprise";
import { folderHome } from "../../../dist/rooms/store/home.js";
import { removeSession } from "../../../dist/rooms/store/remove.js";

const [folder, rounds, seed] = isMainThread ? process.argv.slice(2) : workerData.args;
const gate = new Int32Array(isMainThread ? new SharedArrayBuffer(4) : workerData.gate);
const fileOf = (round) => `${folder}/base-${round}.jsonl`;

/** Lets both go at the same instant, then holds this one up for some of what the other does. */
function meet(round, { salt, most }) {
  Atomics.add(gate, 0, 1);
  while (Atomics.load(gate, 0) < 2 * (round + 1));
  const turns = (Math.imul(round * 2 + salt + Number(seed), 0x9e3779b1) >>> 8) % most;
  for (let turn = 0; turn < turns; turn += 1) Atomics.load(gate, 0);
}

function remove() {
  for (let round = 0; round < Number(rounds); round += 1) {
    meet(round, { salt: 1, most: 400_000 });
    removeSession(folderHome(folder), fileOf(round), { archive: false, waitMs: 5_000 });
  }
  parentPort.postMessage("done");
}

async function fork() {
  for (let round = 0; round < Number(rounds); round += 1) {
    const base = SessionManager.create(folder, folder, { id: `base-${round}`, sync: "none" });
    base.appendSync({ type: "user", content: `prompt ${round}` });
    await base.close();
  }
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { args: process.argv.slice(2), gate: gate.buffer },
  });
  const removed = new Promise((resolve, reject) =>
    worker.on("message", resolve).on("error", reject),
  );
  const forks = [];
  let refused = 0;
  for (let round = 0; round < Number(rounds); round += 1) {
    const base = SessionManager.open(fileOf(round), { sync: "none" });
    meet(round, { salt: 0, most: 60_000 });
    try {
      const made = base.fork();
      forks.push({ file: made.getSessionFile(), round });
      await made.close();
    } catch (error) {
      if (error.code !== "not_found") throw error;
      refused += 1;
    }
    await base.close();
  }
  await removed;
  const broken = forks.filter(({ file, round }) => !holds(file, `prompt ${round}`));
  process.stdout.write(JSON.stringify({ forked: forks.length, refused, broken: broken.length }));
}

function holds(file, prompt) {
  try {
    return SessionManager.open(file)
      .path()
      .some(({ content }) => content === prompt);
  } catch {
    return false;
  }
}

if (isMainThread) await fork();
else remove();
