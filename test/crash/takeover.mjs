// Writers that cannot examine each other share one session; the one that writes is stopped at a random instant, so
// that another takes the lease, and continued while that one writes (P1, P4).
//
//   node test/crash/takeover.mjs --rounds 1000 [--seed 1] [--writers 3] [--hosts]
//
// A round is one holder stopped until another has written. Each writer runs in a pid namespace of its own where the
// system allows it; elsewhere, and with --hosts, it is given a host name of its own, which makes it as unknown to the
// others.
import { spawn, spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { SessionManager, verifyLog } from "reprise";
import { temporaryFolder } from "../temporary-folder.mjs";

const child = join(dirname(fileURLToPath(import.meta.url)), "children", "overtaken.mjs");
const staleMs = 60;
/** So many takeovers, then everything is checked and a new file is begun. */
const roundsPerFile = 50;
/** How long the others may take to write after the holder was stopped. */
const patienceMs = 10_000;

/** Whether processes can be given a pid namespace of their own here. */
function hasNamespaces() {
  return spawnSync("unshare", ["-p", "-f", "--mount-proc", "true"]).status === 0;
}

export async function takeovers({
  rounds,
  seed,
  writers = 3,
  namespaces = hasNamespaces(),
  tell = () => {},
}) {
  const totals = {
    namespaces,
    takeovers: 0,
    acknowledged: 0,
    lost: 0,
    recovered: 0,
    refused: 0,
    problems: [],
  };
  for (let done = 0; done < rounds; done += roundsPerFile) {
    const of = Math.min(roundsPerFile, rounds - done);
    await oneFile({ seed: seed + done, rounds: of, writers, totals });
    tell(totals);
  }
  return totals;
}

async function oneFile({ seed, rounds, writers, totals }) {
  const random = randomFrom(seed);
  const folder = temporaryFolder();
  const session = SessionManager.create(folder, folder, { id: "s", sync: "none" });
  await session.close();
  const file = join(folder, "s.jsonl");
  const all = Array.from({ length: writers }, (_, index) =>
    startWriter(file, { name: `w${index}`, seed: seed * 10 + index, apart: totals.namespaces }),
  );
  try {
    for (let round = 0; round < rounds; round += 1) {
      if (await takeOver(all, random)) totals.takeovers += 1;
      else totals.problems.push(`seed ${seed}: nobody went on in round ${round}`);
    }
  } finally {
    for (const writer of all) writer.resume();
    for (const writer of all) writer.process.stdin.end();
  }
  await Promise.all(all.map((writer) => writer.ended));
  await check(file, all, { seed, totals });
}

/** Stops the writer that was acknowledged last, waits until another one is, and lets it go on at some instant. */
async function takeOver(all, random) {
  const before = acknowledgedBy(all);
  await until(() => acknowledgedBy(all) > before, patienceMs);
  await sleep(random(15));
  const holder = all.reduce((a, b) => (b.lastMs > a.lastMs ? b : a));
  const others = all.filter((writer) => writer !== holder);
  holder.stop();
  const atStop = acknowledgedBy(others);
  const wentOn = await until(() => acknowledgedBy(others) > atStop, patienceMs);
  // While the others write, in the middle of what it was about to do.
  await sleep(random(20));
  holder.resume();
  return wentOn;
}

function startWriter(file, { name, seed, apart }) {
  const command = [process.execPath, child, file, name, String(seed), String(staleMs)];
  const args = apart ? ["-p", "-f", "--mount-proc", "--kill-child", ...command] : command.slice(1);
  const started = spawn(apart ? "unshare" : command[0], args, {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...(apart ? {} : { REPRISE_FAILPOINT_HOST: `-${name}` }) },
  });
  const writer = {
    name,
    process: started,
    acks: new Map(),
    lost: new Set(),
    failed: [],
    lastMs: 0,
  };
  let rest = "";
  started.stdout.on("data", (data) => {
    const lines = (rest + data).split("\n");
    rest = lines.pop();
    for (const line of lines) hear(writer, line);
  });
  writer.ended = new Promise((resolve) => started.on("close", resolve));
  // A stopped `unshare` would leave its child running: the writer itself is meant.
  writer.pid = () => (apart ? childOf(started.pid) : started.pid);
  writer.stop = () => signal(writer, "SIGSTOP");
  writer.resume = () => signal(writer, "SIGCONT");
  return writer;
}

function hear(writer, line) {
  const [what, first, second] = line.split(" ");
  if (what === "ack") {
    writer.acks.set(Number(first), second);
    writer.lastMs = performance.now();
  } else if (what === "lost") writer.lost.add(first);
  else if (what === "failed") writer.failed.push(line);
}

function signal(writer, name) {
  const pid = writer.pid();
  if (pid === undefined) return;
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

function childOf(pid) {
  try {
    const found = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0];
    return found === "" ? undefined : Number(found);
  } catch {
    return undefined;
  }
}

function acknowledgedBy(writers) {
  return writers.reduce((sum, { acks }) => sum + acks.size, 0);
}

async function until(holds, mostMs) {
  const endMs = performance.now() + mostMs;
  while (!holds()) {
    if (performance.now() > endMs) return false;
    await sleep(1);
  }
  return true;
}

/** Everything acknowledged is there under its number, no number twice, the chain verifies, and appending goes on. */
async function check(file, all, { seed, totals }) {
  const problem = (text) => totals.problems.push(`seed ${seed}: ${text}`);
  const session = SessionManager.open(file);
  await session.append({ type: "note", content: "after it all" });
  const seen = new Map();
  const damage = [];
  for await (const event of session.events({ onDamage: (found) => damage.push(found) })) {
    if (seen.has(event.id)) problem(`event ${event.id} is there twice`);
    seen.set(event.id, saidIn(event));
    if (event.recoveredFrom !== undefined) totals.recovered += 1;
  }
  await session.close();
  const onPath = new Set(
    SessionManager.open(file)
      .path()
      .map(({ id }) => id),
  );
  for (const { name, acks, lost, failed } of all) {
    totals.acknowledged += acks.size;
    totals.refused += lost.size;
    for (const line of failed) problem(`${name} ${line}`);
    for (const [id, nonce] of acks) {
      if (seen.get(id) === nonce && onPath.has(id)) continue;
      totals.lost += 1;
      problem(`event ${id} (${nonce}) is lost: ${seen.get(id)} is there`);
    }
  }
  const verification = verifyFile(file);
  const isSound =
    damage.length === 0 && verification.problems.length === 0 && verification.unfinishedBytes === 0;
  if (!isSound) problem(JSON.stringify([damage, verification]).slice(0, 2_000));
}

function saidIn({ content }) {
  return typeof content === "string" ? content : content?.[0]?.text;
}

function verifyFile(file) {
  const fd = openSync(file, "r");
  try {
    return verifyLog(fd, { firstId: 1, firstSum: "" });
  } finally {
    closeSync(fd);
  }
}

function randomFrom(seed) {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string" },
      seed: { type: "string" },
      writers: { type: "string" },
      hosts: { type: "boolean" },
    },
  });
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  const rounds = Number(values.rounds ?? 200);
  process.stdout.write(`seed ${seed}\n`);
  const tell = ({ takeovers: done, lost }) =>
    process.stderr.write(`${done} of ${rounds} takeovers, ${lost} lost\n`);
  const writers = Number(values.writers ?? 3);
  const apart = values.hosts ? false : undefined;
  const totals = await takeovers({ rounds, seed, writers, namespaces: apart, tell });
  for (const problem of totals.problems) process.stdout.write(`${problem}\n`);
  const { namespaces, takeovers: done, acknowledged, refused, recovered, lost } = totals;
  process.stdout.write(
    `${done} takeovers ${namespaces ? "across pid namespaces" : "between stand-in hosts"}, ${acknowledged} events acknowledged, ${refused} refused with lease_lost, ${recovered} recovered, ${lost} lost\n`,
  );
  process.exitCode = totals.problems.length === 0 && done === rounds ? 0 : 1;
}
