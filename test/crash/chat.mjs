// Kills `reprise chat` at random instants of a turn that streams and runs tools, then continues the session in another
// process: what the model's server gets must be a history its API takes, with every word that was on the screen but for those
// of the last 250 ms.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { brokenRules, startModel } from "../loop/model-server.mjs";
import { startOnTerminal } from "../pty.mjs";
import { seeded } from "../random.mjs";
import { temporaryFolder } from "../temporary-folder.mjs";

const program = resolve(import.meta.dirname, "..", "..", "dist", "bin", "reprise.js");
const promisedMs = 250;
/** Messages of a turn, each of so many words; all but the last call tools. */
const messages = 4;
const words = 40;

const calls = [
  { name: "bash", input: { command: "echo began; sleep 0.08; echo ended" } },
  { name: "read", input: { path: "notes.txt" } },
];

/** Runs so many rounds, some of them at once; tells what was wrong in any of them. */
export async function chatKills({ rounds, seed, atOnce = 3, tell = () => {} }) {
  const totals = { rounds: 0, midTurn: 0, openCalls: 0, owed: 0, problems: [] };
  for (let from = 0; from < rounds; from += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, rounds - from) }, (_, at) => from + at);
    const found = await Promise.all(numbers.map((round) => killOnce(seed, round)));
    for (const { problems, isMidTurn, openCalls, owed } of found) {
      totals.rounds += 1;
      totals.midTurn += isMidTurn ? 1 : 0;
      totals.openCalls += openCalls;
      totals.owed += owed > 0 ? 1 : 0;
      totals.problems.push(...problems);
    }
    tell(totals);
  }
  return totals;
}

async function killOnce(seed, round) {
  const random = seeded(seed, round);
  const protocol = random.pick(["anthropic", "openai", "gemini"]);
  const paceMs = random.pick([1, 4, 9]);
  const server = await startModel((request, count) => {
    const said = wordsIn(request);
    const isOver = count > messages || request.atoms.at(-1).text === "And now?";
    if (isOver) return { text: "Over." };
    const first = said.length + 1;
    const text = Array.from({ length: words }, (_, at) => `w${first + at} `).join("");
    const step = { text, paceMs, pieceChars: random.pick([3, 7, 20]) };
    return count === messages ? step : { ...step, calls: calls.slice(0, 1 + (count % 2)) };
  });
  try {
    const home = temporaryFolder();
    const cwd = join(home, "work");
    mkdirSync(cwd);
    writeFileSync(join(cwd, "notes.txt"), "Notes.\n");
    const env = environment(home, server.url, protocol);
    const shown = await killedTurn({
      cwd,
      env,
      afterMs: random.below(messages * words * paceMs + 900),
    });
    const asked = server.requests.length;
    await continued({ cwd, env });
    const where = `seed ${seed}, round ${round}, ${protocol}`;
    const problems = server.requests.slice(0, asked).flatMap(brokenRules);
    const request = server.requests.at(-1);
    if (server.requests.length !== asked + 1)
      problems.push("the next process did not ask the model");
    problems.push(...brokenRules(request));
    const kept = wordsIn(request);
    if (kept.some((word, at) => word !== at + 1))
      problems.push(`words are not in order: ${kept.join(" ")}`);
    if (kept.length < shown.owed)
      problems.push(`${shown.owed} words were owed, ${kept.length} are kept`);
    const openCalls = request.atoms.filter(
      ({ kind, text }) => kind === "result" && text.startsWith("Interrupted"),
    ).length;
    const isMidTurn = shown.last > 0 && shown.last < messages * words;
    return {
      problems: problems.map((problem) => `${where}: ${problem}`),
      isMidTurn,
      openCalls,
      owed: shown.owed,
    };
  } finally {
    await server.stop();
  }
}

/** The numbers of the words a model said before, in the order of the history. */
function wordsIn({ atoms }) {
  const said = atoms.filter(({ kind }) => kind === "assistant").map(({ text }) => text);
  // A cut word is not a word that was said.
  return [...said.join("\n").matchAll(/\bw(\d+) /g)].map(([, number]) => Number(number));
}

function environment(home, url, protocol) {
  const { PATH } = process.env;
  const shared = { PATH, HOME: home, TERM: "xterm-256color" };
  switch (protocol) {
    case "anthropic":
      return {
        ...shared,
        REPRISE_MODEL: "claude-stub",
        ANTHROPIC_API_KEY: "key",
        ANTHROPIC_BASE_URL: url,
      };
    case "openai":
      return {
        ...shared,
        REPRISE_MODEL: "openai/stub",
        OPENAI_API_KEY: "key",
        OPENAI_BASE_URL: `${url}/v1`,
      };
    default:
      return {
        ...shared,
        REPRISE_MODEL: "google/stub",
        GEMINI_API_KEY: "key",
        GOOGLE_GEMINI_BASE_URL: url,
      };
  }
}

/** Begins a turn on a terminal and kills the program; tells which words were shown, and which of them are owed. */
async function killedTurn({ cwd, env, afterMs }) {
  const child = startOnTerminal(process.execPath, [program, "chat"], {
    columns: 200,
    rows: 60,
    cwd,
    env,
  });
  const seen = [];
  let printed = "";
  let isAsked = false;
  let onWord = () => {};
  const firstWord = new Promise((done) => {
    onWord = done;
  });
  child.onData((data) => {
    printed += data;
    if (!isAsked && printed.includes("❯")) {
      isAsked = true;
      child.write("Work\r");
    }
    const questions = printed.split("Allow it?");
    if (questions.length > 1) {
      printed = questions.at(-1);
      // The tool is allowed for this chat.
      child.write("a");
    }
    const said = [...printed.matchAll(/\bw(\d+) /g)].map(([, number]) => Number(number));
    printed = printed.slice(-4_000);
    if (said.length === 0) return;
    seen.push({ word: Math.max(...said), atMs: performance.now() });
    onWord();
  });
  const ended = new Promise((done) => {
    child.onExit(done);
  });
  await firstWord;
  await wait(afterMs);
  child.kill("SIGKILL");
  await ended;
  const last = seen.at(-1);
  const old = seen.findLast(({ atMs }) => atMs < last.atMs - promisedMs);
  return { last: last.word, owed: old?.word ?? 0 };
}

async function continued({ cwd, env }) {
  const child = spawn(process.execPath, [program, "chat", "continue"], { cwd, env });
  child.stdin.end("And now?\n");
  child.stdout.resume();
  let errors = "";
  child.stderr.on("data", (data) => {
    errors += String(data);
  });
  const [status] = await once(child, "close");
  if (status !== 0) throw new Error(errors);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { rounds: { type: "string" }, seed: { type: "string" } },
  });
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  const rounds = Number(values.rounds ?? 100);
  process.stdout.write(`seed ${seed}\n`);
  const tell = ({ rounds: done }) => process.stderr.write(`${done} of ${rounds} kills\n`);
  const totals = await chatKills({ rounds, seed, tell });
  for (const problem of totals.problems) process.stdout.write(`${problem}\n`);
  const { midTurn, openCalls, owed, problems } = totals;
  process.stdout.write(
    `${totals.rounds} kills, ${midTurn} in the middle of the turn, ${openCalls} calls left open, ${owed} with words owed, ${problems.length} problems\n`,
  );
  process.exit(problems.length === 0 ? 0 : 1);
}
