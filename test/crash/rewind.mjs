// Kills checkpoints, rewinds, undos and redos at random instants, and checks what is left: every file whole, as it was or as
// it should become; after the next change to the store all of them as they were or all as they should become (P8). Used by
// `npm run crash:rewind` and by the test suite with fewer rounds.
//
//   node test/crash/rewind.mjs --rounds 500 [--seed 1] [--jobs 2]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { restoreFailpoints } from "../../dist/rooms/base/failpoint.js";
import { allCheckpoints, recordCheckpoint } from "../../dist/rooms/snapshot/checkpoint.js";
import { registerRestores } from "../../dist/rooms/snapshot/restore/take-back.js";
import { beginChange } from "../../dist/rooms/store/begin-change.js";
import { undoableEntries } from "../../dist/rooms/store/undo.js";
import { seeded } from "../random.mjs";
import { temporaryFolder } from "../temporary-folder.mjs";
import { openProject, stateOf } from "./rewind-project.mjs";

const child = fileURLToPath(new URL("children/rewind.mjs", import.meta.url));
const roundsPerProject = 12;
const fileCount = 60;

/** Kills so many times; returns how often something died, when, and whatever was wrong afterwards. */
export async function stormRewinds({ rounds, seed, jobs, tell = () => {} }) {
  registerRestores();
  const totals = { rounds: 0, kills: 0, settled: 0, byOperation: {}, problems: [] };
  let next = 0;
  const work = async () => {
    for (;;) {
      const first = next;
      next += roundsPerProject;
      if (first >= rounds) return;
      const root = temporaryFolder();
      const project = openProject(root);
      const at = { root, ...project, states: new Map(), undo: undefined, redo: undefined };
      makeFiles({ ...at, random: seeded(seed, first) });
      at.states.set(takeCheckpoint(at).number, stateOf(at.folder));
      for (let round = first; round < Math.min(first + roundsPerProject, rounds); round += 1) {
        const found = await oneRound(at, { random: seeded(seed, round), totals });
        totals.rounds += 1;
        totals.problems.push(
          ...found.map((problem) => `round ${round} (seed ${seed}): ${problem}`),
        );
        tell(totals);
        if (found.length > 0) break;
      }
      project.tree.close();
      rmSync(root, { recursive: true, force: true });
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return totals;
}

function makeFiles({ folder, random }) {
  for (let at = 0; at < fileCount; at += 1) {
    const path = join(folder, `folder-${at % 7}`, `file-${at}.txt`);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, `${at} ${random.below(1000)}\n`.repeat(1 + random.below(2_000)));
  }
  symlinkSync("folder-0", join(folder, "link"));
}

/** What an agent or a person might do: changes, deletions, whole folders, modes, kinds. */
function editFiles({ folder, random }) {
  const name = () => join(folder, `folder-${random.below(7)}`);
  const gone = name();
  rmSync(gone, { recursive: true, force: true });
  if (random.below(2) === 0) writeFileSync(gone, "a file in the place of a folder\n");
  for (let at = 0; at < 25; at += 1) {
    const inner = join(name(), `file-${random.below(fileCount)}.txt`);
    try {
      if (random.below(4) === 0) rmSync(inner, { force: true });
      else writeFileSync(inner, `edited ${random.below(1000)}\n`.repeat(1 + random.below(500)));
      if (random.below(5) === 0) chmodSync(inner, 0o700);
    } catch {
      // Its folder is gone.
    }
  }
}

function takeCheckpoint({ tree, home }) {
  return tree.hold(() => recordCheckpoint(home, tree.capture(), { reason: "asked" }));
}

async function oneRound(at, { random, totals }) {
  const { folder, home, env } = at;
  const operation = operationOf(at, random);
  const { what } = operation;
  if (what === "checkpoint" || what === "rewind") editFiles({ folder, random });
  const before = stateOf(folder);
  const wanted = operation.leadsTo ?? before;
  const died = await die(at.root, operation, random);
  if (died) totals.kills += 1;
  totals.byOperation[what] = (totals.byOperation[what] ?? 0) + 1;
  const problems = [];
  const torn = stateOf(folder);
  const paths = new Set([before, torn, wanted].flatMap(Object.keys));
  for (const path of paths)
    if (!isWhole(torn[path], [before[path], wanted[path]]))
      problems.push(`${path} is neither as it was nor as it should be: ${shortened(torn[path])}`);
  const told = [];
  const register = async () => registerRestores();
  const running = await beginChange({ env, register, tell: (said) => told.push(said) });
  running?.end();
  if (told.length > 0) totals.settled += 1;
  const after = stateOf(folder);
  const isDone = isDeepStrictEqual(after, wanted);
  if (!isDone && !isDeepStrictEqual(after, before))
    problems.push(`${what} is neither done nor undone; ${told.join(" ")}`);
  if (!isDone && !died) problems.push(`${what} is not done, though nobody was killed`);
  for (const left of ["running", "snapshots/restoring"])
    for (const name of namesIn(join(home.root, left))) problems.push(`left: ${left}/${name}`);
  if (told.some((said) => said.includes("not settled"))) problems.push(told.join(" "));
  remember(at, { what, before, isDone });
  if (at.undo !== undefined && undoableEntries(home).length === 0)
    problems.push("done, and cannot be undone");
  return problems.map((problem) => `${what} ${operation.failpoint ?? ""}: ${problem}`);
}

/** A file is whole; a folder may wait for its mode, and what takes the place of another kind for its content. */
function isWhole(said, [was, wanted]) {
  if (said === was || said === wanted || said?.startsWith("folder")) return true;
  const isFolder = [was, wanted].map((one) => one?.startsWith("folder") === true);
  return said === undefined && isFolder[0] !== isFolder[1];
}

/** What can be undone or done again without an edit in between, and where that leads. */
function remember(at, { what, before, isDone }) {
  const now = stateOf(at.folder);
  const last = allCheckpoints(at.home).findLast(({ reason }) => reason === "asked");
  if (!at.states.has(last.number)) at.states.set(last.number, before);
  const isMoved = isDone && !isDeepStrictEqual(before, now);
  if (what === "checkpoint") Object.assign(at, { undo: undefined, redo: undefined });
  else if (what === "undo" && isDone) Object.assign(at, { undo: undefined, redo: before });
  else if (what === "redo" && isDone) Object.assign(at, { undo: before, redo: undefined });
  else if (what === "rewind")
    Object.assign(at, { undo: isMoved ? before : undefined, redo: undefined });
}

function operationOf({ states, undo, redo }, random) {
  const able = ["checkpoint", "rewind", "rewind"];
  if (undo !== undefined) able.push("undo", "undo", "undo");
  if (redo !== undefined) able.push("redo", "redo", "redo");
  const what = random.pick(able);
  const number = random.pick([...states.keys()]);
  const leadsTo = { checkpoint: undefined, rewind: states.get(number), undo, redo }[what];
  const isNamed = what !== "checkpoint" && random.below(3) === 0;
  const failpoint = isNamed
    ? `${random.pick(restoreFailpoints)}:${1 + random.below(20)}`
    : undefined;
  return { what, number, leadsTo, failpoint };
}

/** How long an operation takes here; kills come before that is over. */
let usualMs = 150;

/** Runs an operation in a process that is killed, at a failpoint or at a random instant; says whether it was. */
async function die(root, { what, number, failpoint }, random) {
  const env = { ...process.env, ...(failpoint !== undefined && { REPRISE_FAILPOINT: failpoint }) };
  const running = spawn(process.execPath, [child, root, what, String(number)], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  running.stderr.on("data", (bytes) => {
    errors += bytes;
  });
  const over = once(running, "exit");
  await once(running.stdout, "data");
  const beganMs = performance.now();
  if (failpoint === undefined) {
    await Promise.race([sleep(random.fraction() * usualMs * 1.3), over]);
    running.kill("SIGKILL");
  }
  const [code, signal] = await over;
  if (signal === "SIGKILL") return true;
  if (code !== 0) throw new Error(`${what} failed: ${errors}`);
  usualMs = Math.min(400, 0.8 * usualMs + 0.2 * (performance.now() - beganMs));
  return false;
}

function shortened(said) {
  return String(said).slice(0, 60);
}

function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "500" },
      seed: { type: "string", default: "1" },
      jobs: { type: "string", default: "2" },
    },
  });
  const [rounds, seed, jobs] = [values.rounds, values.seed, values.jobs].map(Number);
  const totals = await stormRewinds({ rounds, seed, jobs });
  process.stdout.write(`${JSON.stringify(totals, null, 2)}\n`);
  process.exitCode = totals.problems.length > 0 ? 1 : 0;
}
