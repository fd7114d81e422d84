// claude-flow: an entry we wrote into its memory is found by the real program's own search, list and retrieve, and gone
// after an undo. Its native SQLite is not built: the program then reads with the one it brings along.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installed } from "./install.mjs";

const program = fileURLToPath(new URL("../../dist/bin/reprise.js", import.meta.url));

/** The versions whose memory commands are asked. */
export const flows = [
  {
    agent: "claude-flow",
    version: "3.43.0",
    spec: "claude-flow@3.43.0",
    start: "claude-flow/bin/cli.js",
  },
];

/** What is not as promised of an entry written for one version: none if the program finds it. */
export async function provenFlow(flow, { root }) {
  const { argv } = await installed(flow);
  const project = join(root, `flow-${flow.version}`);
  mkdirSync(project);
  const env = { HOME: root, PATH: process.env.PATH };
  const run = (args, input = "") =>
    execFileSync(process.execPath, [program, ...args], {
      cwd: project,
      env,
      encoding: "utf8",
      input,
      stdio: ["pipe", "pipe", "ignore"],
    });
  const ask = (...args) =>
    execFileSync(argv[0], [argv[1], "memory", ...args], {
      cwd: project,
      // Off: its background process, its updates, its colours.
      env: { ...env, HOME: project, RUFLO_DAEMON_AUTOSTART: "0", CI: "1", NO_COLOR: "1" },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  const problems = [];
  const session = run(
    ["new", "--title", "Port change", "--stdin"],
    `${JSON.stringify({ type: "user", content: "Move the API to port 9090" })}\n`,
  ).trim();
  // Once into a project that has no memory yet, once into the one that is there then.
  for (const times of [1, 2]) {
    run(["handoff", session, "--in", "claude-flow", "--cwd", project, "--json"]);
    const found = ask("search", "-q", "port 9090", "--namespace", "handoff");
    const hits = found.match(/handoff\/port/g)?.length ?? 0;
    if (hits !== times) problems.push(`its search found ${hits} of ${times}: ${found}`);
  }
  if (!ask("list").includes("handoff/port")) problems.push("its list does not have it");
  run(["undo"]);
  const left = ask("search", "-q", "port 9090", "--namespace", "handoff");
  if (left.match(/handoff\/port/g)?.length !== 1) problems.push(`after an undo: ${left}`);
  return problems;
}
