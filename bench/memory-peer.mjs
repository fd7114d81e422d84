// node memory-peer.mjs <module of claude-flow> <rounds>: stores, reads and searches in turn with both, in one process whose
// environment and folders are its own. Prints the times of each side.
import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openMemory } from "../dist/memory.js";
import { interleave, timed } from "./measure.mjs";

const [peerFile, rounds] = process.argv.slice(2);
// The peer would fetch a model; without one it makes vectors by hashing, its quickest way. Nothing here goes to the network.
Socket.prototype.connect = () => {
  throw new Error("no network");
};
const told = console.log;
console.log = () => undefined;
const peer = await import(pathToFileURL(peerFile).href);
const folder = process.cwd();
mkdirSync(join(folder, ".swarm"), { recursive: true });
const dbPath = join(folder, ".swarm", "memory.db");
await peer.initializeMemoryDatabase({ dbPath, migrate: false });
const memory = openMemory();
const text = (at) =>
  `Entry ${at}: the service of team ${at % 7} listens on port ${8000 + at} behind the proxy.`;

const held = 50;
let ours = 0;
let theirs = 0;
const storeOurs = () => memory.store({ key: `key-${ours}`, value: text(ours++) });
const storeTheirs = () =>
  peer.storeEntry({ key: `key-${theirs}`, value: text(theirs++), namespace: "default", dbPath });
for (let at = 0; at < held; at += 1) {
  await storeOurs();
  const { success, error } = await storeTheirs();
  if (!success) throw new Error(error);
}
const how = { rounds: Number(rounds), warmups: 3 };
const store = await interleave(
  { ours: () => timedAlone(storeOurs), floor: () => timedAlone(storeTheirs) },
  how,
);

/** Both sides sync. What the other one wrote and did not sync is put on the disk before, or this one would wait for it. */
function timedAlone(work) {
  const fd = openSync(join(folder, "before"), "w");
  writeSync(fd, "1");
  fsyncSync(fd);
  closeSync(fd);
  return timed(work);
}

let at = 0;
const next = () => {
  at += 7;
  return `key-${at % held}`;
};
const retrieve = await interleave(
  {
    ours: () => timed(() => memory.get(next())),
    floor: () => timed(() => peer.getEntry({ key: next(), namespace: "default", dbPath })),
  },
  how,
);
const query = await interleave(
  {
    ours: () =>
      timed(() => memory.query({ similarTo: `port ${8000 + (at++ % held)} team`, limit: 10 })),
    floor: () =>
      timed(() =>
        peer.searchEntries({
          query: `port ${8000 + (at++ % held)} team`,
          limit: 10,
          namespace: "default",
          dbPath,
        }),
      ),
  },
  how,
);
memory.close();
console.log = told;
console.log(JSON.stringify({ store, retrieve, query }));
process.exit(0);
