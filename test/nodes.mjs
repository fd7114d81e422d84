// The rooms that depend on the SQLite engine or on how a process starts, on every Node we promise beside the
// one of this machine. Each Node comes from npm, pinned, into the cache of the real programs. Then one example of the
// library on Bun and Deno: it must print what it prints on Node.
//
//   node test/nodes.mjs [--only 22] [test/sqlite ...]
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { installed, installedNode, promisedNodes } from "./real/install.mjs";
import { temporaryFolder } from "./temporary-folder.mjs";

const rooms = [
  ...["sqlite", "catalog", "agents/opencode", "agents/cursor", "agents/langgraph"],
  ...["agents/qwen-code", "base"],
  ...["memory", "store", "programs", "e2e"],
];
const runtimes = [
  {
    agent: "bun",
    version: "1.4.4",
    spec: "@oven/bun-linux-x64@1.4.4",
    start: "@oven/bun-linux-x64/bin/bun",
    args: [],
  },
  {
    agent: "deno",
    version: "2.9.6",
    spec: "@deno/linux-x64-glibc@2.9.6",
    start: "@deno/linux-x64-glibc/deno",
    args: ["run", "-A"],
  },
];
const root = resolve(import.meta.dirname, "..");
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");

const { values, positionals } = parseArgs({
  options: { only: { type: "string" } },
  allowPositionals: true,
});
const wanted = positionals.length > 0 ? positionals : rooms.map((room) => `test/${room}`);
const folder = temporaryFolder();
const lines = [];
let failures = 0;
for (const version of promisedNodes.filter(values.only === undefined ? isAnother : isNamed)) {
  const { argv } = await installedNode(version);
  const { line, isGood } = suiteOn(argv[0], version);
  lines.push(line);
  if (!isGood) failures += 1;
}
if (values.only === undefined && process.platform === "linux" && process.arch === "x64") {
  for (const runtime of runtimes) {
    const { argv } = await installed(runtime);
    const isGood = printedBy(argv[0], runtime.args) === printedBy(process.execPath, []);
    lines.push(`${runtime.agent} ${runtime.version}: ${isGood ? "as Node" : "NOT as Node"}`);
    if (!isGood) failures += 1;
  }
}
process.stdout.write(`${wanted.join(" ")}\n${lines.join("\n")}\n`);
process.exitCode = failures === 0 && lines.length > 0 ? 0 : 1;

/** On the line of the one that runs this the whole suite is run. */
function isAnother(version) {
  return version.split(".")[0] !== process.versions.node.split(".")[0];
}

function isNamed(version) {
  return version.startsWith(values.only);
}

/** Runs the tests on a Node, which is also what they find when they start `node` by name. */
function suiteOn(node, version) {
  const counts = join(folder, `${version}.json`);
  const report = ["--reporter=dot", "--reporter=json", `--outputFile.json=${counts}`];
  const PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
  const { status } = spawnSync(node, [vitest, "run", ...report, ...wanted], {
    cwd: root,
    env: { ...process.env, PATH },
    stdio: "inherit",
  });
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(counts, "utf8"));
  const line = `Node ${version}: ${testResults.length} files, ${numPassedTests} tests passed, ${numFailedTests} failed`;
  return { line, isGood: status === 0 };
}

/** What an example prints when a runtime runs it; the example makes, forks and reads sessions. */
function printedBy(program, args) {
  const home = temporaryFolder();
  const example = join(root, "examples", "from-pi.mjs");
  const { stdout, status } = spawnSync(program, [...args, example, join(home, "sessions")], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: home },
    encoding: "utf8",
  });
  return status === 0 ? stdout : `exit ${status}`;
}
