// One program in a home of its own, with a stub of its own.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { programs } from "./programs.mjs";
import { startStub } from "./stub.mjs";

/** No turn of any of them takes longer, however loaded the machine. */
const turnMs = 120_000;

/** A program ended before it asked its model anything. */
export class Unasked extends Error {}

/** By agent: the hosts its programs wanted to reach and were refused. */
export const refusals = new Map();

/** Programs that still run; they end with this process, whatever ends it. */
const running = new Set();
process.on("exit", () => {
  for (const child of running) endGroup(child);
});

let homes = 0;

/** Homes in which a program ran once, to copy from: by what starts it, as promises. */
const templates = new Map();

/**
 * Opens a home for a program: `turn` continues a session, `list` names its sessions. Where a program makes
 * its store at its first start, that start happens once for all homes below one `root`.
 */
export async function openHome(program, { root, name, cwd }) {
  homes += 1;
  const home = join(root, `${name}-${homes}`);
  const { first } = programs[program.agent];
  if (first !== undefined) {
    const key = `${root} ${program.agent}@${program.version}`;
    if (!templates.has(key)) templates.set(key, firstStart(program, { root, cwd, first }));
    cpSync(await templates.get(key), home, { recursive: true });
  }
  return openAt(program, { home, cwd });
}

async function firstStart(program, { root, cwd, first }) {
  const home = join(root, `first-${program.agent}-${program.version}`);
  const opened = await openAt(program, { home, cwd });
  const ended = await opened.start(first);
  await opened.close();
  if (ended.code !== 0) throw new Error(`${program.agent} did not start. ${ended.said()}`);
  return home;
}

async function openAt(program, { home, cwd }) {
  const stub = await startStub();
  const { prepare, turn, list, shell } = programs[program.agent];
  mkdirSync(join(home, "tmp"), { recursive: true });
  const variables = {
    HOME: home,
    TMPDIR: join(home, "tmp"),
    PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
    HTTP_PROXY: stub.url,
    HTTPS_PROXY: stub.url,
    NO_PROXY: "127.0.0.1,localhost",
    ...prepare({ url: stub.url, home }),
  };
  const start = (args, more = {}) =>
    run([...program.argv, ...args], { cwd, env: variables, ...more });
  return {
    program,
    stub,
    home,
    /** What the library is given in place of this process's own environment. */
    env: { variables, platform: process.platform, home, cwd },
    /** Continues a session (the newest one if none is named); returns what the model was sent, request by request. */
    async turn({ session, prompt, says }) {
      stub.say(prompt, says);
      const ended = await start(turn({ session, prompt }));
      const sent = stub.conversations(prompt);
      if (sent.length === 0) throw new Unasked(`${program.agent} asked nothing. ${ended.said()}`);
      if (ended.code !== 0) throw new Error(`${program.agent} failed. ${ended.said()}`);
      return sent;
    },
    /** What its list command prints; undefined where it has none. */
    async list() {
      return list === undefined ? undefined : (await start(list)).output;
    },
    start,
    shell,
    close() {
      const hosts = refusals.get(program.agent) ?? new Set();
      for (const host of stub.refused) hosts.add(host);
      if (hosts.size > 0) refusals.set(program.agent, hosts);
      return stub.stop();
    },
  };
}

/** Runs a program to its end, within bounds; where `killWhen` becomes true it is killed with its children. */
export function run([file, ...args], { cwd, env, timeoutMs = turnMs, killWhen }) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    running.add(child);
    let output = "";
    let errors = "";
    child.stdout.on("data", (data) => {
      output += data;
    });
    child.stderr.on("data", (data) => {
      errors += data;
    });
    // The whole group: a program may have children that hold its output open.
    const clock = setTimeout(() => endGroup(child), timeoutMs);
    const watch = killWhen && setInterval(() => killWhen() && endGroup(child), 20);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(clock);
      clearInterval(watch);
      running.delete(child);
      const said = () => `${signal ?? code}: ${(errors + output).slice(-1500)}`;
      resolve({ code, signal, output, errors, said });
    });
  });
}

function endGroup(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
