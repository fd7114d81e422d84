// The conformance suite: every pair of agents, accepted by the real programs.
//
//   node test/real/run.mjs [--only claude-code,codex] [--write-docs] [--keep]
//   node test/real/run.mjs --sessions <folder> [--sessions <folder>]
//
// With --sessions no program is installed: every session below a folder that is laid out like a home goes into every
// target and back.
//
// Order: install, prove the harness by sessions written by hand, make a source in every program, then all
// pairs, round trips and older versions, the hooks and the commands. Exit 1 if anything is not as promised.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { kept, temporaryFolder } from "../temporary-folder.mjs";
import { byHand, said } from "./by-hand.mjs";
import { provenChat } from "./chat.mjs";
import { flows, provenFlow } from "./claude-flow.mjs";
import { firstDifference } from "./compare.mjs";
import { deleted, provenDelete } from "./deletes.mjs";
import { forked, provenFork } from "./forks.mjs";
import { openHome, refusals, Unasked } from "./home.mjs";
import { hooked, provenHooks } from "./hooks.mjs";
import { current, installAll, older } from "./install.mjs";
import { graphs, provenGraph } from "./langgraph.mjs";
import { loaders, provenLoader } from "./loaders.mjs";
import { provenMcp, served } from "./mcp.mjs";
import { provenConformance } from "./mcp-conformance.mjs";
import { ownSource, pair, pairIntoOwn, roundTrip, sourceFor } from "./pairs.mjs";
import { inParallel } from "./parallel.mjs";
import { provenPublish, published } from "./publish.mjs";
import { provenRewind, rewound } from "./rewinds.mjs";
import { provenFolder } from "./sessions.mjs";
import { provenSlash, slashed } from "./slash.mjs";
import { provenSubagents } from "./subagents.mjs";
import { printed, writeDocs } from "./table.mjs";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    "write-docs": { type: "boolean" },
    keep: { type: "boolean" },
    sessions: { type: "string", multiple: true },
  },
});
const jobs = 2;
const chosen = ({ agent }) => values.only === undefined || values.only.split(",").includes(agent);
const own = { agent: "reprise" };
/** Whose sessions are continued in the chat, and who resumes what came of them. */
const chatOrder = { "claude-code": "codex", codex: "claude-code" };

// Programs that run are ended with this one.
process.on("SIGINT", () => process.exit(130));
const begun = Date.now();
if (values.sessions !== undefined) {
  let holds = true;
  for (const folder of values.sessions) {
    say(`the sessions of ${folder}`);
    const isGood = await provenFolder(resolve(folder), { root: temporaryFolder(), say });
    holds &&= isGood;
  }
  process.exit(holds ? 0 : 1);
}
const installing = [...current, ...older].filter(chosen);
const programs = await installAll(installing);
const newest = programs.slice(0, current.filter(chosen).length);
const oldest = programs.slice(newest.length);
say(`${programs.length} programs are there`);

const root = temporaryFolder();
const place = { root, cwd: project(join(root, "project")) };
const results = [];
if (values.keep) say(`kept: ${kept(root)}`);
await inParallel(newest, jobs, (program) =>
  attempt(harnessRow(program), () => provenByHand(program)),
);
say("the harness is proven");
const sources = await inParallel(newest, jobs, sourceOf);
sources.push(await ownSource(place));
say("the sources are made");
await inParallel(tasks(sources.filter(Boolean)), jobs, ({ row, work }) => attempt(row, work));
for (const source of sources.filter(Boolean)) {
  const other = newest.find(({ agent }) => agent === chatOrder[source.agent]);
  if (other === undefined) continue;
  await attempt(row("chat", source, other), () => provenChat(source, other, place));
}
for (const program of newest.filter(({ agent }) => hooked.includes(agent))) {
  await attempt(row("hooks", { agent: "hooks" }, program), () => provenHooks(program, place));
}
for (const program of newest.filter(({ agent }) => rewound.includes(agent))) {
  await attempt(row("rewind", { agent: "rewind" }, program), () => provenRewind(program, place));
}
for (const program of newest.filter(({ agent }) => forked.includes(agent))) {
  await attempt(row("fork", program, program), () => provenFork(program, place));
}
for (const program of newest.filter(({ agent }) => deleted.includes(agent))) {
  await attempt(row("delete", program, program), () => provenDelete(program, place));
}
for (const program of programs.filter(({ agent }) => agent === "claude-code")) {
  const about = row("subagents", { agent: "subagents" }, program);
  await attempt(about, () => provenSubagents(program, place));
}
for (const program of newest.filter(({ agent }) => slashed.includes(agent))) {
  await attempt(row("commands", { agent: "slash" }, program), () => provenSlash(program, place));
}
for (const program of newest.filter(({ agent }) => served.includes(agent))) {
  await attempt(row("server", { agent: "mcp" }, program), () => provenMcp(program, place));
}
for (const program of newest.filter(({ agent }) => published.includes(agent))) {
  await attempt(row("memories", { agent: "memory" }, program), () => provenPublish(program, place));
}
if (values.only === undefined)
  await attempt({ kind: "server", source: "mcp", target: "conformance" }, () =>
    provenConformance(place),
  );
for (const loader of loaders.filter(chosen)) {
  const about = row("state", { agent: "reprise" }, loader);
  await attempt(about, () => provenLoader(loader, place));
}
for (const graph of graphs.filter(chosen)) {
  await attempt(row("state", { agent: "reprise" }, graph), () => provenGraph(graph, place));
}
for (const flow of flows.filter(chosen)) {
  await attempt(row("state", { agent: "reprise" }, flow), () => provenFlow(flow, place));
}
process.stdout.write(printed(results));
for (const [agent, hosts] of refusals) say(`${agent} was refused ${[...hosts].join(", ")}`);
say("done");
if (values["write-docs"]) writeDocs(results);
process.exit(results.every(({ problems }) => problems.length === 0) ? 0 : 1);

/** Every pair but those the sources were made by, every round trip, and the older versions. */
function tasks(sources) {
  const list = [];
  const bySource = new Map(sources.map((source) => [source.agent, source]));
  for (const source of sources.filter(({ agent }) => agent !== own.agent)) {
    list.push({ row: row("pair", source, own), work: () => pairIntoOwn(source, place) });
    for (const program of newest.filter(({ agent }) => agent !== source.agent)) {
      list.push({ row: row("pair", source, program), work: () => pair(source, program, place) });
    }
  }
  for (const program of oldest) {
    const source = bySource.get(program.agent === "claude-code" ? "codex" : "claude-code");
    if (source === undefined) continue;
    list.push({ row: row("older", source, program), work: () => pair(source, program, place) });
  }
  const all = [...newest, own];
  for (const source of sources) {
    const back = all.find(({ agent }) => agent === source.agent);
    for (const through of all.filter((program) => program !== back)) {
      const work = () => roundTrip(source, through, back, place);
      list.push({ row: row("round trip", source, through), work });
    }
  }
  return list;
}

async function sourceOf(program) {
  let source;
  await attempt(row("pair", own, program), async () => {
    source = await sourceFor(program, place);
    return source.problems;
  });
  return source;
}

/** A session that no code of ours wrote: if this fails, the harness is at fault or the program changed. */
async function provenByHand(program) {
  const home = await openHome(program, { ...place, name: `${program.agent}-by-hand` });
  try {
    const session = await byHand[program.agent]({ ...place, home: home.home, start: home.start });
    const prompt = `By-hand-${program.agent}.`;
    const [sent] = await home.turn({ session, prompt, says: ["Answered."] });
    const difference = firstDifference(
      [...said, { kind: "user", text: prompt }],
      sent,
      program.agent,
    );
    return difference === undefined ? [] : [difference];
  } finally {
    await home.close();
  }
}

function harnessRow(program) {
  return row("by hand", { agent: "by hand" }, program);
}

function row(kind, source, target) {
  return { kind, source: source.agent, target: target.agent, version: target.version };
}

async function attempt(about, work) {
  const from = Date.now();
  const name = `${about.kind}: ${about.source} -> ${about.target} ${about.version ?? ""}`;
  const problems = await work()
    .catch((error) => {
      // A program may fall over by itself, rarely; one that refuses a session does so every time.
      if (!(error instanceof Unasked)) throw error;
      say(`${name}: once more, in a new home: ${error.message}`);
      return work();
    })
    .catch((error) => [error.message ?? String(error)]);
  results.push({ ...about, problems });
  const verdict = problems.length === 0 ? "ok" : `FAILED: ${problems.join("; ")}`;
  say(`${name} ${((Date.now() - from) / 1000).toFixed(1)} s: ${verdict}`);
}

/** A project as people have them: with git, and a commit. */
function project(folder) {
  mkdirSync(folder);
  writeFileSync(join(folder, "a.txt"), "three\ntiny\nwords\n");
  const identity = ["-c", "user.name=dev", "-c", "user.email=dev@localhost"];
  const git = (...args) =>
    execFileSync("git", [...identity, ...args], { cwd: folder, stdio: "pipe" });
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "Begin");
  return folder;
}

function say(text) {
  process.stderr.write(`${((Date.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${text}\n`);
}
