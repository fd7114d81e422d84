// Listing and showing the sessions of all agents on the machine.
import { closeSync, mkdirSync, openSync, readdirSync, readSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { newestSessions } from "../dist/rooms/agents/newest-sessions.js";
import { groupByProject } from "../dist/rooms/agents/project.js";
import { loadAgents } from "../dist/rooms/agents/registry.js";
import { openingOf as openingOfHead } from "../dist/rooms/model/opening.js";
import { longAgents, longSession, mixedHome } from "./agent-corpora.mjs";
import {
  atLeast,
  atMost,
  beside,
  interleave,
  memoryRow,
  missingRow,
  runProcess,
  timed,
} from "./measure.mjs";

const agents = await loadAgents();

const program = fileURLToPath(new URL("../dist/bin/reprise.js", import.meta.url));

export async function rows({ folder, quick }) {
  return [...(await listed(join(folder, "mixed"), { quick })), ...(await shown(folder, { quick }))];
}

async function listed(home, { quick }) {
  mkdirSync(home);
  const sessions = quick ? 200 : 1000;
  const env = await mixedHome(home, { sessions, totalBytes: sessions * 500_000 });
  const heads = listAll(env);
  const own = heads.filter(({ relation }) => relation?.kind !== "subagent").length;
  if (heads.length !== sessions) throw new Error(`${heads.length} of ${sessions} are found`);
  if (list(env) !== own) throw new Error(`${list(env)} of ${own} sessions are counted`);
  const roots = [".claude/projects", ".codex/sessions", ".gemini/tmp", ".pi/agent/sessions"];
  const stores = [...roots, ".reprise/sessions"].map((root) => join(home, root));
  const ours = () => timed(() => list(env));
  const floor = () => timed(() => statAll(stores));
  const rounds = quick ? 11 : 31;
  const stats = await interleave({ ours, floor }, { rounds, warmups: 5 });
  const all = await interleave(
    { ours: () => timed(() => listAll(env)), floor },
    { rounds, warmups: 5 },
  );
  const parses = await interleave(
    { ours, floor: () => timed(() => parseAll(stores)) },
    { rounds: 3 },
  );
  rmSync(home, { recursive: true });
  const what = `list ${sessions} sessions of all agents (${sessions / 2} MB)`;
  return [
    atMost(`${what}: / stat each file`, stats, 8),
    beside(`${what}, --all: / stat each file`, all),
    atLeast(`${what}: parse every line /`, parses, 20),
  ];
}

/** What `reprise list` does before it prints: find all, read the heads of those shown, group them. */
function list(env) {
  const headOf = (agent, ref) => agent.head(ref, env);
  const openingOf = (agent, ref) =>
    agent.opening === undefined ? openingOfHead(headOf(agent, ref)) : agent.opening(ref, env);
  const { sessions, total } = newestSessions({ agents, env }, { count: 30, headOf, openingOf });
  groupByProject(sessions.map(({ head }) => head));
  return total;
}

/** The same where all are shown. */
function listAll(env) {
  const found = [];
  for (const agent of agents) {
    for (const ref of agent.locate(env)) {
      const head = agent.head(ref, env);
      if (head !== undefined) found.push(head);
    }
  }
  found.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0));
  groupByProject(found);
  return found;
}

/** The least a list could do: read the folders, ask for size and time of every file. */
function statAll(roots) {
  for (const path of filesBelow(roots)) statSync(path);
}

function* filesBelow(folders) {
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) yield* filesBelow([path]);
      else yield path;
    }
  }
}

const buffer = Buffer.allocUnsafe(1024 * 1024);

/** What a reader without heads does: JSON.parse of every line, nothing kept. */
function parseAll(roots) {
  for (const path of filesBelow(roots)) {
    const fd = openSync(path, "r");
    for (let offset = 0; ; ) {
      const taken = readSync(fd, buffer, 0, buffer.length, offset);
      const end = buffer.subarray(0, taken).lastIndexOf(10);
      if (end < 0) break;
      for (let start = 0; start <= end; ) {
        const stop = buffer.indexOf(10, start);
        JSON.parse(buffer.toString("utf8", start, stop));
        start = stop + 1;
      }
      offset += end + 1;
    }
    closeSync(fd);
  }
}

async function shown(folder, { quick }) {
  const found = [];
  const size = quick ? "64 MB" : "2 GB";
  for (const name of longAgents) {
    const what = `show --last 50, ${size}, ${name}`;
    if (!agents.some((agent) => agent.name === name)) {
      found.push(missingRow(what, "no such agent"));
      continue;
    }
    const home = join(folder, name);
    const file = await longSession(name, home, (quick ? 64 : 2048) * 1024 * 1024);
    const argv = [program, "show", file, "--last", "50"];
    const env = { PATH: process.env.PATH, HOME: home };
    // Where the bar is missed by far, a few rounds tell it as well as many.
    const isFarOff = runProcess(argv, { env }) > 5000;
    const times = await interleave(
      { ours: () => runProcess(argv, { env }), floor: () => runProcess(["-e", "0"], { env }) },
      { rounds: isFarOff ? 2 : quick ? 9 : 21, warmups: isFarOff ? 0 : 2 },
    );
    const peaks = (isFarOff ? [0] : [0, 1, 2]).map(() => runProcess(argv, { env, peak: true }));
    found.push(atMost(`${what}: / node -e 0`, times, 6), memoryRow(`${what}: memory`, peaks, 120));
    rmSync(home, { recursive: true });
  }
  return found;
}
