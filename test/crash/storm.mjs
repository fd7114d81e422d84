// Kills a writing process at random instants and checks what is left (P1). Used by `npm run crash` and
// by the test suite with fewer rounds.
//
//   node test/crash/storm.mjs --rounds 10000 [--seed 1] [--jobs 2]
import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { SessionManager, verifyLog } from "reprise";
import { temporaryFolder } from "../temporary-folder.mjs";

const writer = join(dirname(fileURLToPath(import.meta.url)), "children", "writer.mjs");
/** After so many kills a fresh file is begun, so that checking stays quick; a mended one is killed again. */
const killsPerFile = 2;

export async function storm({ rounds, seed, jobs, tell = () => {} }) {
  const totals = { rounds: 0, acknowledged: 0, torn: 0, lost: 0, problems: [] };
  let next = 0;
  const work = async () => {
    for (;;) {
      const first = next;
      next += killsPerFile;
      if (first >= rounds) return;
      try {
        await stormOneFile(seed + first, Math.min(killsPerFile, rounds - first), totals);
      } catch (error) {
        // A check that cannot be made is a check that failed; the others go on.
        totals.problems.push(
          `seed ${seed + first}: ${error instanceof Error ? error.stack : error}`,
        );
      }
      tell(totals);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return totals;
}

async function stormOneFile(seed, kills, totals) {
  const folder = temporaryFolder();
  const session = SessionManager.create(folder, folder);
  const file = session.getSessionFile();
  await session.close();
  const acknowledged = new Map();
  for (let kill = 0; kill < kills; kill += 1) {
    for (const [id, nonce] of await writeUntilKilled(file, seed + kill))
      acknowledged.set(id, nonce);
    totals.rounds += 1;
    await check(file, acknowledged, { seed: seed + kill, totals });
  }
  totals.acknowledged += acknowledged.size;
}

/** Lets a child write, kills it after a random time, and returns what it said was acknowledged. */
function writeUntilKilled(file, seed) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [writer, file, String(seed)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let errors = "";
    let started = false;
    child.stdout.on("data", (data) => {
      output += data;
      // The clock starts with the first append, so that the kill hits writing and not loading.
      if (!started) setTimeout(() => child.kill("SIGKILL"), (seed * 7919) % 40);
      started = true;
    });
    child.stderr.on("data", (data) => {
      errors += data;
    });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (signal !== "SIGKILL") reject(new Error(`writer ended by itself (${code}): ${errors}`));
      else resolve(parseAcks(output));
    });
  });
}

function parseAcks(output) {
  // The last line may be cut: only whole ones were said.
  return output
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split(" "))
    .map(([, id, nonce]) => [Number(id), nonce]);
}

/** Everything acknowledged is there, the next append works, and afterwards the chain verifies. */
async function check(file, acknowledged, { seed, totals }) {
  if (verifyFile(file).unfinishedBytes > 0) totals.torn += 1;
  const session = SessionManager.open(file);
  await session.append({ type: "note", content: "after the crash" });
  const seen = new Map();
  const damage = [];
  for await (const event of session.events({ onDamage: (found) => damage.push(found) }))
    seen.set(event.id, saidIn(event));
  await session.close();
  for (const [id, nonce] of acknowledged) {
    if (seen.get(id) === nonce) continue;
    totals.lost += 1;
    totals.problems.push(`seed ${seed}: event ${id} (${nonce}) is lost`);
  }
  const verification = verifyFile(file);
  const sound =
    damage.length === 0 && verification.problems.length === 0 && verification.unfinishedBytes === 0;
  if (!sound) totals.problems.push(`seed ${seed}: ${JSON.stringify([damage, verification])}`);
}

/** What the writer put first into an event: every kind of it carries the same mark. */
function saidIn({ title, content }) {
  return title ?? (typeof content === "string" ? content : content?.[0]?.text);
}

function verifyFile(file) {
  const fd = openSync(file, "r");
  try {
    return verifyLog(fd, { firstId: 1, firstSum: "" });
  } finally {
    closeSync(fd);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { rounds: { type: "string" }, seed: { type: "string" }, jobs: { type: "string" } },
  });
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  const rounds = Number(values.rounds ?? 200);
  process.stdout.write(`seed ${seed}\n`);
  const jobs = Number(values.jobs ?? 2);
  const beganMs = Date.now();
  let toldMs = beganMs;
  const tell = ({ rounds: done, lost }) => {
    if (Date.now() - toldMs < 60_000) return;
    toldMs = Date.now();
    const minutes = Math.round((toldMs - beganMs) / 60_000);
    process.stderr.write(`${done} of ${rounds} kills, ${lost} lost, after ${minutes} minutes\n`);
  };
  const totals = await storm({ rounds, seed, jobs, tell });
  for (const problem of totals.problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(
    `${totals.rounds} kills, ${totals.acknowledged} events acknowledged, ${totals.torn} torn tails, ${totals.lost} lost, ${totals.problems.length} problems\n`,
  );
  process.exitCode = totals.problems.length === 0 ? 0 : 1;
}
