// Memories while everything goes wrong: writers killed at random instants, and many at once.
//
//   node test/crash/memory.mjs --rounds 500
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openMemory } from "../../dist/memory.js";
import { seeded } from "../random.mjs";
import { temporaryFolder } from "../temporary-folder.mjs";

const writer = join(dirname(fileURLToPath(import.meta.url)), "children", "memory-writer.mjs");

/** Kills a writer in each round; returns what was acknowledged, what of it is missing, and the processes left behind. */
export async function killStorm({ rounds, seed, folder }) {
  const random = seeded(seed);
  const acknowledged = [];
  for (let round = 0; round < rounds; round += 1) {
    const keys = await killedWriter({ folder, name: `r${round}`, afterMs: random.fraction() * 60 });
    acknowledged.push(...keys);
  }
  const missing = await missingOf(folder, acknowledged);
  return { acknowledged: acknowledged.length, missing, left: writersLeft(folder) };
}

/** Lets several writers store at once; returns how many entries are missing. */
export async function crowd({ processes, each, folder }) {
  const keys = await Promise.all(
    Array.from({ length: processes }, (_, at) => wholeWriter({ folder, name: `p${at}`, each })),
  );
  const all = keys.flat();
  return { stored: all.length, missing: await missingOf(folder, all), left: writersLeft(folder) };
}

async function missingOf(folder, keys) {
  const memory = openMemory({ env: environment(folder), mostEntries: 1_000_000 });
  const missing = [];
  for (const key of keys)
    if ((await memory.get(key))?.value !== storedValue(key)) missing.push(key);
  memory.close();
  return missing;
}

function environment(folder) {
  return { variables: {}, platform: process.platform, home: folder, cwd: folder };
}

function storedValue(key) {
  return `The value of ${key}.`;
}

function started({ folder, name, each }) {
  return spawn(process.execPath, [writer, folder, name, String(each)], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env["PATH"] },
  });
}

/** The keys a writer acknowledged before it was killed, so many milliseconds after its first. */
function killedWriter({ afterMs, ...options }) {
  return new Promise((resolve, reject) => {
    const child = started({ ...options, each: 1_000_000 });
    let told = "";
    child.stdout.on("data", (data) => {
      if (told === "") setTimeout(() => child.kill("SIGKILL"), afterMs);
      told += data;
    });
    child.on("error", reject);
    child.on("close", () => resolve(told.split("\n").slice(0, -1)));
  });
}

function wholeWriter(options) {
  return new Promise((resolve, reject) => {
    const child = started(options);
    let told = "";
    child.stdout.on("data", (data) => {
      told += data;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(told.split("\n").slice(0, -1));
      else reject(new Error(`a writer ended with ${code}`));
    });
  });
}

/** Processes that still name the folder; where there is no /proc nobody can tell. */
function writersLeft(folder) {
  let names = [];
  try {
    names = readdirSync("/proc").filter(
      (name) => /^\d+$/.test(name) && Number(name) !== process.pid,
    );
  } catch {
    return 0;
  }
  return names.filter((name) => {
    try {
      return readFileSync(join("/proc", name, "cmdline"), "utf8").includes(folder);
    } catch {
      return false;
    }
  }).length;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { rounds: { type: "string", default: "500" }, seed: { type: "string" } },
  });
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  process.stdout.write(`seed ${seed}\n`);
  const folder = temporaryFolder();
  const storm = await killStorm({ rounds: Number(values.rounds), seed, folder });
  const many = await crowd({ processes: 8, each: 100, folder: temporaryFolder() });
  process.stdout.write(
    `${values.rounds} kills: ${storm.acknowledged} acknowledged, ${storm.missing.length} missing, ${storm.left} processes left\n` +
      `8 processes at once: ${many.stored} stored, ${many.missing.length} missing, ${many.left} processes left\n`,
  );
  const isSound = storm.missing.length + storm.left + many.missing.length + many.left === 0;
  process.exitCode = isSound ? 0 : 1;
}
