// A usage report over 500 MB of three agents' sessions, the whole process, against the native ccusage;
// and whether both count the same tokens and dollars.

import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ccusage, ccusageProblem } from "./ccusage.mjs";
import { atMost, factRow, interleave, memoryRow, missingRow, runProcess } from "./measure.mjs";
import { onEachNode } from "./nodes.mjs";
import { usageHome } from "./usage-corpus.mjs";

const program = fileURLToPath(new URL("../dist/bin/reprise.js", import.meta.url));
const fixtures = fileURLToPath(new URL("../test/fixtures/", import.meta.url));

export async function rows({ folder, quick }) {
  const home = join(folder, "home");
  const sessions = quick ? 100 : 1000;
  usageHome(home, { sessions, totalBytes: sessions * 500_000 });
  const env = { HOME: home, TZ: "UTC" };
  const argv = [program, "stats", "--json"];
  const cache = join(home, ".reprise", "derived");
  const report = (options = {}) => runProcess(argv, { env, ...options });
  const cold = (options) => {
    rmSync(cache, { recursive: true, force: true });
    return report(options);
  };
  const what = `usage of ${sessions} sessions (${sessions / 2} MB)`;
  const peaks = [0, 1, 2].map(() => cold({ peak: true }));
  const grown = grownBytes(home, env);
  const problem = ccusageProblem();
  const memory = memoryRow(`${what}: memory`, peaks, 200);
  const growth = factRow(`${what}: one appended message reads only its bytes`, grown);
  if (problem !== undefined) return [missingRow(`${what}: / ccusage`, problem), memory, growth];
  const peer = () => ccusage(home, ["daily"]).ms;
  const rounds = quick ? 5 : 9;
  const whole = await onEachNode(async ({ program: node, barOf }) => {
    const first = await interleave({ ours: () => cold({ node }), floor: peer }, { rounds });
    const again = await interleave({ ours: () => report({ node }), floor: peer }, { rounds });
    return [
      atMost(`${what}, no cache: / ccusage`, first, barOf({ 20: 1.2, 24: 1.2 })),
      atMost(`${what}, cache: / ccusage`, again, barOf({ 20: 0.25, 24: 0.25 })),
    ];
  });
  return [
    ...whole,
    memory,
    growth,
    factRow(`${what}: tokens and dollars as ccusage`, agrees(home, env)),
    ...agreement(folder),
  ];
}

function statsOf(env, args = []) {
  const child = spawnSync(process.execPath, [program, "stats", "--json", ...args], {
    env,
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  });
  if (child.status !== 0) throw new Error(child.stderr);
  return JSON.parse(child.stdout);
}

/** Appends one message to one session: the next report must read that and nothing else. */
function grownBytes(home, env) {
  statsOf(env);
  const project = join(home, ".claude", "projects", "-home-dev-project-0");
  const file = join(project, readdirSync(project)[0]);
  const usage = { input_tokens: 7, output_tokens: 7 };
  const message = { id: "msg_new", model: "claude-sonnet-4-5", role: "assistant", usage };
  const timestamp = "2026-10-01T00:00:00.000Z";
  const line = `${JSON.stringify({ type: "assistant", timestamp, requestId: "r", message })}\n`;
  appendFileSync(file, line);
  return statsOf(env).notes.readBytes === Buffer.byteLength(line);
}

function agrees(home, env) {
  const { totals } = ccusage(home, ["daily"]).report;
  const ours = statsOf(env).totals;
  return sameTokens(totals, ours.tokens) && Math.abs(totals.totalCost - ours.costUsd) < 1e-6;
}

function sameTokens(theirs, ours) {
  return (
    theirs.inputTokens === ours.input &&
    theirs.outputTokens === ours.output &&
    theirs.cacheReadTokens === ours.cacheRead &&
    theirs.cacheCreationTokens === ours.cacheWrite
  );
}

/** Real sessions that are counted otherwise, and why: docs/stats.md tells it record by record. */
const explained = { "0.166.0/subagent": { input: 10_374, output: 123 } };

/** Every session a real Claude Code or Codex wrote for the tests, one home each. */
function* agreement(folder) {
  for (const [agent, command, store] of [
    ["claude-code", "claude", ".claude"],
    ["codex", "codex", ".codex"],
  ]) {
    let same = true;
    let count = 0;
    for (const version of readdirSync(join(fixtures, agent), { withFileTypes: true })) {
      if (!version.isDirectory()) continue;
      for (const scenario of readdirSync(join(fixtures, agent, version.name))) {
        const from = join(fixtures, agent, version.name, scenario, store);
        // Compressed rollouts are not read by the peer.
        if (!existsSync(from) || scenario.includes("compressed")) continue;
        const home = join(folder, `${agent}-${version.name}-${scenario}`);
        mkdirSync(home, { recursive: true });
        cpSync(from, join(home, store), { recursive: true });
        const { totals } = ccusage(home, [command, "daily"]).report;
        const { tokens } = statsOf({ HOME: home, TZ: "UTC" }).totals;
        const more = explained[`${version.name}/${scenario}`] ?? { input: 0, output: 0 };
        const ours = {
          ...tokens,
          input: tokens.input - more.input,
          output: tokens.output - more.output,
        };
        same &&= sameTokens(totals, ours);
        count += 1;
      }
    }
    yield factRow(`${count} real sessions of ${agent}: tokens as ccusage, or as explained`, same);
  }
}
