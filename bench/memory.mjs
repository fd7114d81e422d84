// Memories: store, read and search against claude-flow in one process, and what 100,000 entries cost.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openMemory, readRecords, writeRecords } from "../dist/memory.js";
import { randomFrom } from "./corpora.mjs";
import { installed } from "./installed.mjs";
import { atLeast, factRow, missingRow } from "./measure.mjs";

const spec = "claude-flow@3.43.0";
const peerScript = fileURLToPath(new URL("./memory-peer.mjs", import.meta.url));

export async function rows({ quick, folder }) {
  return [
    ...peerRows(folder, quick ? 15 : 60),
    ...(await manyRows(folder, quick ? 10_000 : 100_000)),
  ];
}

/**
 * In a process with an environment and folders of its own. The peer's usual path keeps entries in memory alone where its
 * native module is missing, and loses them: it is made to use the other one, which writes them to its database.
 */
function peerRows(root, rounds) {
  const path = ["claude-flow", "v3", "@claude-flow", "cli", "dist", "src", "memory"];
  const peer = installed(spec, ...path, "memory-initializer.js");
  if (peer === undefined)
    return [missingRow("memory against claude-flow", `${spec} could not be installed`)];
  const home = join(root, "memory-peer");
  mkdirSync(join(home, "work"), { recursive: true });
  const { stdout, status } = spawnSync(process.execPath, [peerScript, peer, String(rounds)], {
    cwd: join(home, "work"),
    env: {
      PATH: process.env.PATH,
      HOME: home,
      CLAUDE_FLOW_DISABLE_BRIDGE: "1",
      RUFLO_DAEMON_AUTOSTART: "0",
    },
    encoding: "utf8",
    timeout: 300_000,
  });
  if (status !== 0) return [factRow("memory: claude-flow failed", false)];
  const { store, retrieve, query } = JSON.parse(stdout.trim().split("\n").at(-1));
  return [
    atLeast("memory, store one entry, synced: claude-flow /", store, 20),
    atLeast("memory, read an entry by its key: claude-flow /", retrieve, 20),
    atLeast("memory, search: claude-flow /", query, 20),
  ];
}

async function manyRows(root, count) {
  const home = join(root, "memory-many");
  mkdirSync(home, { recursive: true });
  const env = { variables: {}, platform: process.platform, home, cwd: home };
  const memory = openMemory({ env, mostEntries: 10 * count });
  const random = randomFrom(7);
  const records = Array.from({ length: count }, (_, at) => ({
    id: `entry-${at}`,
    key: `subject ${at}`,
    value: sentenceFrom(random),
    type: "knowledge",
    tags: [`tag-${at % 50}`],
    provenance: "user",
    status: "kept",
    createdAt: new Date(1.7e12 + at * 1000).toISOString(),
    updatedAt: new Date(1.7e12 + at * 1000).toISOString(),
  }));
  // Time of the processor beside that of the clock: how many others use the machine says nothing about an import.
  const imported = await bothTimes(() => memory.importRecords(records, { exact: true }));
  const perSecond = {
    cpu: (count * 1000) / imported.cpuMs,
    wall: (count * 1000) / imported.wallMs,
  };
  const times = [];
  for (let round = 0; round < 200; round += 1) {
    const words = records[Math.floor(random() * count)].value.split(" ").slice(2, 5).join(" ");
    const query = queries[round % queries.length](words, round);
    times.push(await bothTimes(() => memory.query(query)));
  }
  const p95 = (of) => times.map(of).toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)];
  const [cpuMs, wallMs] = [p95((one) => one.cpuMs), p95((one) => one.wallMs)];
  const exported = [...memory.records()];
  const same = ["json", "csv", "xml", "yaml"].filter((format) => {
    const text = [...writeRecords(format, exported)].join("");
    return JSON.stringify([...readRecords(format, text)]) === JSON.stringify(exported);
  });
  memory.close();
  const of = count.toLocaleString("en");
  return [
    factRow(
      `memory, import of ${of} entries: ${Math.round(perSecond.cpu)}/s of CPU, ${Math.round(perSecond.wall)}/s by the clock, at least 5,000`,
      perSecond.cpu >= 5_000,
    ),
    factRow(
      `memory, query among ${of} entries: p95 ${cpuMs.toFixed(1)} ms CPU, ${wallMs.toFixed(1)} by the clock, below 20`,
      cpuMs < 20,
    ),
    factRow(`memory, ${of} entries out and in again, equal: ${same.join(", ")}`, same.length === 4),
  ];
}

/** What a call takes of the processor and by the clock. */
async function bothTimes(work) {
  const began = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() - began };
}

/** Words as texts have them: few that nearly every text has, and many that few have. */
const common =
  "the of to and in that it is for was on with as at by from or this an be not are".split(" ");
const rare = Array.from({ length: 12_000 }, (_, at) => {
  const parts = [at, Math.floor(at / 70), Math.floor(at / 4900) + at];
  const pairs = parts.map(
    (part) => "bcdfglmnprstvz"[part % 14] + "aeiou"[Math.floor(part / 14) % 5],
  );
  return `${pairs.join("")}${at % 10}`;
});

function sentenceFrom(random) {
  const word = () =>
    random() < 0.45
      ? common[Math.floor(random() * common.length)]
      : rare[Math.floor(rare.length ** random()) - 1];
  return Array.from({ length: 20 }, word).join(" ");
}

const queries = [
  (words) => ({ text: words, limit: 20 }),
  (words) => ({ similarTo: words, limit: 20 }),
  (_, round) => ({ tagsAll: [`tag-${round % 50}`], sort: "updated", limit: 20 }),
  (_, round) => ({ key: `subject ${round * 7}` }),
  (_, round) => ({ keyPrefix: `subject ${round}`, limit: 20 }),
  () => ({ types: ["knowledge"], sort: "created", limit: 20 }),
];
