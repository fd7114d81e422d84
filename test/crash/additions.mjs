// Kills the built program at random instants and at failpoints while it adds to other programs' stores, takes back, removes,
// indexes or installs, and checks what one changing command makes of what is left (P3). Used by `npm run crash:additions`
// and by the test suite with fewer rounds.
//
//   node test/crash/additions.mjs --rounds 1000 [--seed 1] [--jobs 2] [--only codex]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { additionFailpoints } from "../../dist/rooms/base/failpoint.js";
import { seeded } from "../random.mjs";
import { folderEntries, makeMachine, snapshot } from "./additions-machine.mjs";

const points = (...names) =>
  additionFailpoints.filter((point) => names.some((name) => point.startsWith(name)));
const undoing = [...points("undo."), "addition.half-removed"];
const files = ["half-staged", "staged", "intended", "linked", "published", "compared", "recorded"];
const staged = files.map((name) => `addition.${name}`);
const appended = ["opened", "half-appended", "appended"].map((name) => `addition.${name}`);

/** Where an addition to an agent's store may be killed. */
const pointsOf = {
  codex: [...staged, ...appended],
  opencode: ["addition.intended", "addition.committed", "addition.compared", "addition.recorded"],
  aider: ["addition.intended", ...appended, "addition.compared", "addition.recorded"],
};

const prune = ["prune", "--max-sessions", "2", "--yes"];
const install = ["hooks", "install", "all", "--yes"];
const slash = (action) => ["slash", action, "all", "--yes"];
const convert = (at, agent) => ["resume", at.ref, "--in", agent, "--cwd", at.cwd];
const agents = ["codex", "gemini-cli", "opencode", "aider", "pi", "reprise", "claude-code"];

/** What is killed: `before` is done undisturbed first, `run` dies, at one of its failpoints or at any time. */
const operations = [
  { name: "import", run: (at) => ["import", at.ref], points: staged },
  { name: "fork", run: (at) => ["fork", at.ref], points: staged },
  ...agents.flatMap((agent) => [
    {
      name: `resume --in ${agent}`,
      run: (at) => convert(at, agent),
      points: pointsOf[agent] ?? staged,
    },
    {
      name: `undo ${agent}`,
      before: (at) => [convert(at, agent)],
      run: () => ["undo"],
      points: undoing,
    },
  ]),
  {
    name: "undo import",
    before: (at) => [["import", at.ref]],
    run: () => ["undo"],
    points: [...points("undo."), "remove.after-leaving", "remove.after-settling"],
  },
  { name: "prune", run: () => prune, points: ["remove.after-leaving", "remove.after-settling"] },
  { name: "undo prune", before: () => [prune], run: () => ["undo"], points: points("undo.") },
  { name: "index", run: () => ["index", "--rebuild"] },
  { name: "hooks install", run: () => install, points: points("settings.") },
  {
    name: "hooks uninstall",
    before: () => [install],
    run: () => ["hooks", "uninstall", "all", "--yes"],
    points: points("settings."),
  },
  {
    name: "undo hooks",
    before: () => [["hooks", "install", "claude-code", "--yes"]],
    run: () => ["undo"],
    points: points("undo."),
  },
  { name: "slash install", run: () => slash("install"), points: staged },
  {
    name: "slash uninstall",
    before: () => [slash("install")],
    run: () => slash("uninstall"),
    points: ["addition.half-removed"],
  },
  { name: "tag", run: (at) => ["tag", at.ref, "kept"], points: ["append.half-written"] },
  { name: "export", run: (at) => ["export", at.ref, "--format", "jsonl", "--output", "out.jsonl"] },
  { name: "share", run: (at) => ["share", at.ref, "--output", "out.md"] },
];

/** After so many rounds a machine is made anew: what a journal gathers would slow the rounds. */
const roundsPerMachine = 8;

/** Neighbouring rounds kill different kinds of operations: it has no divisor in common with their number. */
const stride = 11;

/** Kills so many times; returns how often the program died, and whatever was wrong afterwards. */
export async function stormAdditions({
  rounds,
  seed,
  jobs,
  only,
  deadlineMs = Infinity,
  tell = () => {},
}) {
  const chosen = operations.filter(({ name }) => only === undefined || name.includes(only));
  const totals = { rounds: 0, kills: 0, settling: 0, byOperation: {}, problems: [] };
  let next = 0;
  const work = async () => {
    for (;;) {
      const first = next;
      next += roundsPerMachine;
      if (first >= rounds || Date.now() > deadlineMs) return;
      const machine = makeMachine();
      for (let round = first; round < Math.min(first + roundsPerMachine, rounds); round += 1) {
        // Every operation comes as often as every other, whatever the seed.
        const operation = chosen[(round * stride + seed) % chosen.length];
        const found = await oneRound(machine, operation, { seed, round, totals });
        totals.rounds += 1;
        totals.problems.push(
          ...found.map((problem) => `round ${round}, ${operation.name}: ${problem}`),
        );
        tell(totals);
        // What is wrong now would be wrong in every round after it.
        if (found.length > 0) break;
      }
      const verified = await run(machine, ["verify"]);
      if (verified.code !== 0) totals.problems.push(`verify: ${verified.stdout}${verified.stderr}`);
      machine.remove();
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return totals;
}

async function oneRound(machine, operation, { seed, round, totals }) {
  const random = seeded(seed, round);
  const before = snapshot(machine);
  const entriesBefore = new Set(machine.entries().map(({ id }) => id));
  for (const args of operation.before?.(machine) ?? []) await succeed(machine, args);
  const args = operation.run(machine);
  const death = howToDie(random, operation);
  const beganMs = Date.now();
  const ended = await run(machine, args, death);
  if (ended.signal !== "SIGKILL") {
    durationMs.set(operation.name, Date.now() - beganMs);
    if (ended.code !== 0) return [`${args.join(" ")} ended with ${ended.code}: ${ended.stderr}`];
  } else {
    totals.kills += 1;
    totals.byOperation[operation.name] = (totals.byOperation[operation.name] ?? 0) + 1;
  }
  const settling = ["tag", machine.ref, `round-${round}`];
  // Who settles may die too.
  if (random.below(2) === 0) {
    const again = await run(machine, settling, howToDie(random, settlingOperation));
    if (again.signal === "SIGKILL") {
      totals.kills += 1;
      totals.settling += 1;
    }
  }
  const settledMs = Date.now();
  const { stderr } = await succeed(machine, settling);
  durationMs.set(settlingOperation.name, Date.now() - settledMs);
  const how = `${JSON.stringify(death)} said ${JSON.stringify(stderr.trim())}`;
  return (await problemsAfter(machine, { before, entriesBefore })).map(
    (found) => `${found} (${how})`,
  );
}

/** What is wrong once one changing command has run. */
async function problemsAfter(machine, { before, entriesBefore }) {
  const problems = [...leftovers(machine)];
  const added = machine.entries().filter(({ id }) => !entriesBefore.has(id));
  const settled = snapshot(machine);
  const changed = differences(before, settled);
  if (changed.length > 0 && added.length === 0) {
    return [...problems, `changed without an entry to undo: ${changed.join(", ")}`];
  }
  for (const { id, kind } of added) {
    const { code, stderr } = await run(machine, ["undo", String(id)]);
    if (code !== 0) problems.push(`undo of ${kind} failed: ${stderr.trim()}`);
  }
  const left = differences(before, snapshot(machine));
  if (left.length > 0) problems.push(`not as before once all is undone: ${left.join(", ")}`);
  return problems.concat(machine.journalProblems());
}

/** Temporary files, notes of processes, sessions on their way out: nothing of these may stay. */
function leftovers(machine) {
  const names = readdirSync(machine.home, { recursive: true });
  // A claim on a lease that was cut short is removed by a later holder, once it is older than a lease may be silent.
  const isClaim = (name) => /\.reprise\/(leases|writers)\/.*\.lease\.\d+\.[^/]*\.tmp$/.test(name);
  const left = names.filter((name) => /\.(tmp|leaving|kept|pending)$/.test(name) && !isClaim(name));
  const notes = folderEntries(join(machine.store, "running")).filter((name) => name.endsWith("l"));
  const open = machine.openIntentions();
  rmSync(join(machine.cwd, "out.jsonl"), { force: true });
  rmSync(join(machine.cwd, "out.md"), { force: true });
  return [
    ...left.map((name) => `${name} is left`),
    ...notes.map((name) => `the note ${name} is left`),
    ...open.map((id) => `intention ${id} is open`),
  ];
}

function differences(before, after) {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}

async function succeed(machine, args) {
  const ended = await run(machine, args);
  if (ended.code === 0) return ended;
  throw new Error(`${args.join(" ")} ended with ${ended.code ?? ended.signal}: ${ended.stderr}`);
}

/** At a failpoint, or after a time in which the command may have come anywhere. */
function howToDie(random, { name, points: known = [] }) {
  if (known.length > 0 && random.below(2) === 0) {
    return { failpoint: `${random.pick(known)}:${random.below(3) === 0 ? 2 : 1}` };
  }
  return { afterMs: Math.round((durationMs.get(name) ?? 500) * (0.2 + 0.9 * random.fraction())) };
}

/** How long commands take when nobody kills them. */
const durationMs = new Map();
const settlingOperation = { name: "settling", points: [...points("settle."), ...undoing] };

async function run(machine, args, { failpoint, afterMs } = {}) {
  const child = spawn(process.execPath, [machine.program, ...args], {
    cwd: machine.cwd,
    env: { ...machine.env, ...(failpoint !== undefined && { REPRISE_FAILPOINT: failpoint }) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  const closed = once(child, "close");
  if (afterMs !== undefined) {
    const stop = new AbortController();
    const late = sleep(afterMs, "late", { signal: stop.signal }).catch(() => "stopped");
    if ((await Promise.race([late, closed])) === "late") child.kill("SIGKILL");
    stop.abort();
  }
  const [code, signal] = await closed;
  return { code, signal, stdout, stderr };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = { type: "string" };
  const { values } = parseArgs({ options: { rounds: text, seed: text, jobs: text, only: text } });
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  const rounds = Number(values.rounds ?? 200);
  process.stdout.write(`seed ${seed}\n`);
  let toldMs = Date.now();
  let toldProblems = 0;
  const tell = ({ rounds: done, kills, problems }) => {
    for (; toldProblems < problems.length; toldProblems += 1)
      process.stdout.write(`${problems[toldProblems]}\n`);
    if (Date.now() - toldMs < 60_000) return;
    toldMs = Date.now();
    process.stderr.write(
      `${done} of ${rounds} rounds, ${kills} kills, ${problems.length} problems\n`,
    );
  };
  const jobs = Number(values.jobs ?? 2);
  const totals = await stormAdditions({ rounds, seed, jobs, only: values.only, tell });
  tell(totals);
  for (const [name, kills] of Object.entries(totals.byOperation))
    process.stdout.write(`  ${String(kills).padStart(4)}  ${name}\n`);
  process.stdout.write(`  ${String(totals.settling).padStart(4)}  while settling\n`);
  process.stdout.write(
    `${totals.rounds} rounds, ${totals.kills} kills, ${totals.problems.length} problems\n`,
  );
  process.exitCode = totals.problems.length === 0 ? 0 : 1;
}
