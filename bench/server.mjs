// Many sessions in one process, and in several: descriptors, memory, the event loop, and appends against raw writes.
import { fork, spawnSync } from "node:child_process";
import { closeSync, fdatasync, mkdirSync, openSync, readdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SessionManager } from "reprise";
import { randomFrom, textFrom } from "./corpora.mjs";
import { atLeast, figureRow, interleave } from "./measure.mjs";

const runs = 5;
const appends = 50;
const allowed = 1024;
const runner = fileURLToPath(new URL("./run.mjs", import.meta.url));
const writer = fileURLToPath(new URL("./server-writer.mjs", import.meta.url));
const text = textFrom(randomFrom(3), 1400)
  .replace(/[^\x20-\x7e]/g, "")
  .slice(0, 900);
/** A turn with one tool call: its first and its last event are synced by the policy `turn`. */
const turn = [
  { type: "user", content: text },
  { type: "thinking", content: text },
  { type: "tool_use", call: "c", name: "read", input: { text } },
  { type: "tool_result", call: "c", content: text },
  { type: "assistant", content: text, endTurn: true },
];
const endsTurn = new Set(["user", "assistant"]);

export async function rows({ folder, quick }) {
  const many = quick ? 1_000 : 10_000;
  const idle = quick ? 200 : 1_000;
  const busy = quick ? 40 : 200;
  return [
    ...(await openRows(folder, many)),
    ...(await idleRows(folder, idle)),
    ...(await appendRows(folder, busy)),
  ];
}

/** Runs a task several times, each in a process of its own that may open few files. */
function inLimitedChildren(task, ...args) {
  return Array.from({ length: runs }, () => {
    const limited = `ulimit -n ${allowed} && exec "$@"`;
    const command = [process.execPath, "--expose-gc", runner, "--child", "server", task];
    const child = spawnSync("sh", ["-c", limited, "sh", ...command, ...args.map(String)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (child.status !== 0) throw new Error(`server/${task} ended with ${child.status}`);
    return JSON.parse(child.stdout).value;
  });
}

async function openRows(folder, count) {
  const dir = await makeSessions(join(folder, "open"), count);
  const found = inLimitedChildren("open", dir);
  const what = `${count} open sessions, each written to, under ulimit -n ${allowed}`;
  return [
    figureRow(
      `${what}: memory of each`,
      found.map(({ kb }) => kb),
      { unit: "KB", most: 40 },
    ),
    figureRow(
      `${what}: descriptors of the process`,
      found.map(({ descriptors }) => descriptors),
      { unit: "open", most: allowed },
    ),
  ];
}

async function idleRows(folder, count) {
  const dir = await makeSessions(join(folder, "idle"), count);
  const found = inLimitedChildren("prompt", dir);
  const row = (what, key) =>
    figureRow(
      what,
      found.map((one) => one[key]),
      { unit: "ms", most: 50 },
    );
  return [
    row(`${count} idle sessions prompted at once: the longest block of the event loop`, "prompted"),
    row(`${count} sessions become idle at once: the longest block of the event loop`, "released"),
  ];
}

async function appendRows(folder, sessions) {
  const found = [];
  for (const processes of [1, 8]) {
    for (const [policy, bar] of [
      ["turn", 0.8],
      ["each", 0.6],
    ]) {
      const dir = join(folder, `${policy}-${processes}`);
      mkdirSync(dir);
      const p99s = { ours: [], floor: [] };
      const side = (name) => async () => {
        const told = await inProcesses(processes, [dir, name, policy, sessions / processes]);
        p99s[name].push(Math.max(...told.map(({ p99 }) => p99)));
        return Math.max(...told.map(({ ms }) => ms));
      };
      const times = await interleave(
        { floor: side("floor"), ours: side("ours") },
        { rounds: runs, warmups: 1 },
      );
      for (const of of Object.values(p99s)) of.shift();
      const where = processes === 1 ? "one process" : `${processes} processes`;
      const what = `${sessions} sessions x ${appends} appends of 1 KB, ${where}, sync ${policy}`;
      found.push(
        atLeast(`${what}: write + fdatasync /`, times, bar),
        atLeast(`${what}, p99 of an append: write + fdatasync /`, p99s, bar),
      );
    }
  }
  return found;
}

/** Starts processes, lets all of them begin at once, and returns what each tells. */
async function inProcesses(count, args) {
  const children = Array.from({ length: count }, () => fork(writer, args.map(String)));
  const heard = (child) => new Promise((resolve) => child.once("message", resolve));
  await Promise.all(children.map(heard));
  const told = Promise.all(children.map(heard));
  for (const child of children) child.send("begin");
  return told;
}

/** Sessions with one turn each. */
async function makeSessions(dir, count) {
  mkdirSync(dir);
  for (let n = 0; n < count; n += 1) {
    const session = SessionManager.create(dir, dir, { id: `s${n}`, sync: "none" });
    for (const body of turn) session.appendSync(body);
    await session.close();
  }
  return dir;
}

function opened(dir) {
  const files = readdirSync(dir).filter((name) => name.endsWith(".jsonl"));
  return files.map((name) => SessionManager.open(join(dir, name)));
}

const memoryKb = () => {
  globalThis.gc();
  return process.memoryUsage().rss / 1024;
};

export const tasks = {
  /** How much memory an open session takes that was written to. */
  async open(dir) {
    const warm = SessionManager.inMemory(dir);
    await warm.append(turn[0]);
    const before = memoryKb();
    const sessions = opened(dir);
    for (const session of sessions) await session.append(turn[1]);
    const kb = (memoryKb() - before) / sessions.length;
    const descriptors = readdirSync("/proc/self/fd").length;
    return { kb, descriptors };
  },

  /** How long the event loop stands still when every session gets a prompt, and when all become idle. */
  async prompt(dir) {
    const sessions = opened(dir);
    for (const session of sessions) await session.append(turn[1]);
    // Longer than a lease is kept without an append.
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    const prompted = await longestBlock(() =>
      Promise.all(sessions.map((session) => session.append(turn[0]))),
    );
    const released = await longestBlock(() => new Promise((resolve) => setTimeout(resolve, 3_500)));
    return { prompted, released };
  },
};

async function longestBlock(work) {
  let longest = 0;
  let last = performance.now();
  let isOver = false;
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  await new Promise((resolve) => setImmediate(resolve));
  isOver = true;
  return longest;
}

/** The appends of one process: every session one after the other, all sessions at once. Tells how long it took. */
export async function appendAll(dir, side, policy, count) {
  const targets = side === "ours" ? managers(dir, policy, count) : rawFiles(dir, policy, count);
  const latencies = [];
  const began = performance.now();
  await Promise.all(
    targets.map(async ({ append }) => {
      for (let n = 0; n < appends; n += 1) {
        const from = performance.now();
        await append(turn[n % turn.length]);
        latencies.push(performance.now() - from);
      }
    }),
  );
  const ms = performance.now() - began;
  for (const { close } of targets) await close();
  latencies.sort((a, b) => a - b);
  return { ms, p99: latencies[Math.floor(latencies.length * 0.99)] };
}

/** Sessions that are open and idle: the first append of each takes its lease. */
function managers(dir, sync, count) {
  return Array.from({ length: count }, () => {
    const session = SessionManager.create(dir, dir, { sync });
    return { append: (body) => session.append(body), close: () => session.close() };
  });
}

/** The same lines through a bare descriptor each. */
function rawFiles(dir, policy, count) {
  const line = Buffer.from(`${JSON.stringify({ ...turn[0], id: 1, at: "", sum: "" })}\n`);
  return Array.from({ length: count }, (_, n) => {
    const fd = openSync(join(dir, `${process.pid}-${n}.raw`), "a", 0o600);
    const append = ({ type }) => {
      writeSync(fd, line);
      if (policy === "turn" && !endsTurn.has(type)) return undefined;
      return new Promise((resolve, reject) =>
        fdatasync(fd, (error) => (error ? reject(error) : resolve())),
      );
    };
    return { append, close: () => closeSync(fd) };
  });
}
