// Damages sessions of every agent in ways that keep their shape, and reads them in every way there is (P2, P5, P12).
// Nothing may throw, hang or grow, and nothing that was read may have changed.
//
//   node test/attack/fuzz.mjs [--rounds 2000] [--seed 1] [--minutes 5] [--sessions <home> ...]
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadAgents } from "../../dist/rooms/agents/registry.js";
import { seeded } from "../random.mjs";
import { temporaryFolder } from "../temporary-folder.mjs";
import { mutate } from "./mutate.mjs";
import { kindsOf } from "./problems.mjs";

const fixtures = fileURLToPath(new URL("../fixtures", import.meta.url));
const worker = fileURLToPath(new URL("children/fuzz-worker.mjs", import.meta.url));
const answerMs = 20_000;
const mostMb = 400;
/** Of a long session a part is taken: damage is the same in each. */
const mostLines = 400;

/** Damages and reads sessions until the rounds or the time are over. */
export async function fuzz({ rounds, seed, homes = [], deadlineMs = Infinity, tell }) {
  const sources = await sourcesIn([...homes, ...fixtureHomes()]);
  const totals = { faults: 0, sources: sources.length, bySource: {}, problems: [] };
  const reader = new Reader();
  const folder = temporaryFolder();
  try {
    for (let round = 0; round < rounds && Date.now() < deadlineMs; round += 1) {
      const random = seeded(seed, round);
      // Agents in turn, so that one with many sessions does not stand for all.
      const names = Object.keys(sources.byAgent);
      const source = random.pick(sources.byAgent[names[round % names.length]]);
      const home = join(folder, String(round));
      const before = place(source, home, random);
      const answer = await reader.read(home);
      totals.faults += 1;
      totals.bySource[source.agent] = (totals.bySource[source.agent] ?? 0) + 1;
      const at = `seed ${seed} round ${round} (${source.agent})`;
      for (const problem of answer.problems) totals.problems.push(`${problem}\n  ${at}`);
      if (print(home) !== before) totals.problems.push(`what was read has changed: ${at}`);
      rmSync(home, { recursive: true, force: true });
      if (round % 200 === 199) tell?.(totals);
    }
  } finally {
    reader.end();
  }
  return totals;
}

/** Every folder of the fixtures that is laid out like a home. */
function fixtureHomes() {
  return readdirSync(fixtures, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isDirectory() &&
        entry.parentPath.split("/").length === fixtures.split("/").length + 2,
    )
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** The sessions in these homes, by agent: the file of each and the home it is in. */
async function sourcesIn(homes) {
  const agents = await loadAgents();
  const byAgent = {};
  let length = 0;
  for (const home of homes) {
    const env = {
      variables: { PI_CODING_AGENT_SESSION_DIR: home },
      platform: process.platform,
      home,
      cwd: home,
    };
    for (const agent of agents) {
      for (const { path } of agent.locate(env)) {
        if (relative(home, path).startsWith("..")) continue;
        byAgent[agent.name] ??= [];
        byAgent[agent.name].push({ agent: agent.name, home, path });
        length += 1;
      }
    }
  }
  return { byAgent, length };
}

/** Puts a damaged copy of a session where its agent looks for it; returns what the home looks like. */
function place({ agent, home: from, path }, home, random) {
  const to =
    agent === "pi"
      ? join(home, ".pi/agent/sessions/--p--/s.jsonl")
      : join(home, relative(from, path));
  mkdirSync(dirname(to), { recursive: true });
  if (/\.db$/.test(path)) cpSync(path, to);
  const bytes = readFileSync(path);
  const isText = /\.(jsonl|json|md)$/.test(path);
  writeFileSync(to, isText ? mutate(part(bytes, random), random) : withBadPages(bytes, random));
  return print(home);
}

/** Some lines of a file, its first among them: that says what the rest is. */
function part(bytes, random) {
  const lines = bytes.toString("utf8").split("\n");
  if (lines.length <= mostLines) return bytes;
  const from = 1 + random.below(lines.length - mostLines);
  return Buffer.from([lines[0], ...lines.slice(from, from + mostLines)].join("\n"));
}

function withBadPages(bytes, random) {
  const copy = Buffer.from(bytes);
  for (let times = 1 + random.below(6); times > 0; times -= 1) {
    const at = random.below(copy.length);
    random.bytes(1 + random.below(64)).copy(copy, at);
  }
  return random.below(8) === 0 ? copy.subarray(0, random.below(copy.length)) : copy;
}

/** What lies in a home, but for what is ours. */
function print(home) {
  const hash = createHash("sha256");
  const files = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !relative(home, file).startsWith(".reprise"))
    .sort();
  for (const file of files) hash.update(relative(home, file)).update(readFileSync(file));
  return hash.digest("hex");
}

/** A process that reads; one that hangs, ends or grows is replaced and reported. */
class Reader {
  #child;
  #answers;

  async read(home) {
    if (this.#child === undefined) this.#start();
    this.#child.stdin.write(`${JSON.stringify({ home })}\n`);
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, answerMs, { done: true, late: true });
    });
    const { value, late: isLate } = await Promise.race([this.#answers.next(), late]);
    clearTimeout(timer);
    if (value === undefined) {
      this.end();
      return { problems: [isLate ? `no answer after ${answerMs} ms` : "the reader ended"] };
    }
    const answer = JSON.parse(value);
    if (answer.peakMb < mostMb) return answer;
    this.end();
    return { ...answer, problems: [...answer.problems, `${Math.round(answer.peakMb)} MB`] };
  }

  end() {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }

  #start() {
    this.#child = spawn(process.execPath, [worker], { stdio: ["pipe", "pipe", "inherit"] });
    // Writing to one that ended is seen by the missing answer.
    this.#child.stdin.on("error", () => undefined);
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "2000" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      minutes: { type: "string", default: "5" },
      sessions: { type: "string", multiple: true },
    },
  });
  process.stdout.write(`seed ${values.seed}\n`);
  const { problems, ...facts } = await fuzz({
    rounds: Number(values.rounds),
    seed: Number(values.seed),
    homes: values.sessions,
    deadlineMs: Date.now() + Number(values.minutes) * 60_000,
    tell: ({ faults, problems: found }) =>
      process.stderr.write(`${faults} damaged, ${found.length} problems\n`),
  });
  for (const problem of kindsOf(problems)) process.stdout.write(`${problem}\n`);
  process.stdout.write(
    `${JSON.stringify(facts)}\n${facts.faults} damaged sessions, ${problems.length} problems\n`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}
