// The rooms that depend on the SQLite engine or on how a process starts, on every Node we promise beside the
// one of this machine. Each Node comes from npm, pinned, into the cache of the real programs.
//
//   node test/nodes.mjs [--only 22] [test/sqlite ...]
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { installedNode, promisedNodes } from "./real/install.mjs";
import { temporaryFolder } from "./temporary-folder.mjs";

const rooms = ["sqlite", "catalog", "agents/opencode", "programs", "e2e"];
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
