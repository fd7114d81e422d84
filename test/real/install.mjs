// Installs the real programs, each pinned, into a cache folder outside the repository. What is there
// already is left alone. No install scripts run; native programs come as their platform's package, so that
// each is downloaded once and started directly.
//
//   node test/real/install.mjs
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inParallel } from "./parallel.mjs";

const platform = `${process.platform}-${process.arch}`;
// The build without AVX2 runs everywhere; other processors have only one.
const opencode = `opencode-${platform}${process.arch === "x64" ? "-baseline" : ""}`;
const codexTriple = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
}[platform];

const claudeNative = (version) => ({
  agent: "claude-code",
  version,
  spec: `@anthropic-ai/claude-code-${platform}@${version}`,
  start: `@anthropic-ai/claude-code-${platform}/claude`,
});
const claudeScript = (version) => ({
  agent: "claude-code",
  version,
  spec: `@anthropic-ai/claude-code@${version}`,
  start: "@anthropic-ai/claude-code/cli.js",
});
const codex = (version, folder) => ({
  agent: "codex",
  version,
  spec: `@openai/codex@${version}-${platform}`,
  start: `@openai/codex/vendor/${codexTriple}/${folder}/codex`,
});
const gemini = (version) => ({
  agent: "gemini-cli",
  version,
  spec: `@google/gemini-cli@${version}`,
  start: "@google/gemini-cli/bundle/gemini.js",
});
const openCode = (version) => ({
  agent: "opencode",
  version,
  spec: `${opencode}@${version}`,
  start: `${opencode}/bin/opencode`,
});
// Its owner changed; the new one's program needs a newer Node than the oldest we promise.
const pi = (version, node) => {
  const name = `@${node === undefined ? "mariozechner" : "earendil-works"}/pi-coding-agent`;
  return { agent: "pi", version, spec: `${name}@${version}`, start: `${name}/dist/cli.js`, node };
};

const copilot = (version) => ({
  agent: "copilot-cli",
  version,
  spec: `@github/copilot-${platform}@${version}`,
  start: `@github/copilot-${platform}/copilot`,
});

const qwen = (version) => ({
  agent: "qwen-code",
  version,
  spec: `@qwen-code/qwen-code@${version}`,
  start: "@qwen-code/qwen-code/cli.js",
});

// The newest of the builds that keep threads on the machine which was seen to run without its server.
const amp = (version) => ({
  agent: "amp",
  version,
  spec: `@sourcegraph/amp@${version}-g5070a1`,
  start: "@sourcegraph/amp/dist/main.js",
});

/** The versions all pairs are proven with. */
export const current = [
  claudeNative("2.1.326"),
  codex("0.169.0", "bin"),
  gemini("0.61.0"),
  openCode("1.18.33"),
  // The newest whose packages are all to be had: 1.0 to 1.5 name some that are not.
  pi("0.87.1", "22.23.3"),
  copilot("1.0.102"),
  qwen("0.24.4"),
  amp("0.0.1769314944"),
];

/** Older versions, proven as targets of one source. */
export const older = [
  claudeScript("2.0.30"),
  claudeScript("2.1.12"),
  claudeScript("2.1.37"),
  // It sends "[image]" in place of every image of a session that it resumes, its own sessions' too.
  { ...claudeScript("2.1.63"), namesImages: true },
  claudeNative("2.1.325"),
  codex("0.105.0", "codex"),
  codex("0.166.0", "bin"),
  gemini("0.40.1"),
  openCode("1.2.1"),
  pi("0.73.1"),
  pi("0.58.3"),
];

/** The oldest Node we promise, and the newest of each later line. */
export const promisedNodes = ["20.19.0", "22.23.3", "24.21.0"];

/** Where the programs are kept. */
export function cacheFolder() {
  return process.env["REPRISE_REAL_CACHE"] ?? join(homedir(), ".cache", "reprise-real");
}

/** The program with `argv`, the beginning of the command that starts it. Installs it if need be. */
export async function installed(program) {
  const folder = join(cacheFolder(), `${program.agent}@${program.version}`);
  const file = join(folder, "node_modules", program.start);
  if (!existsSync(file)) await install(program, folder);
  if (!existsSync(file)) throw new Error(`${program.spec} has no ${program.start}`);
  return { ...program, argv: /\.[cm]?js$/.test(file) ? [await nodeFor(program), file] : [file] };
}

/** A Node from npm, pinned: the program's own where it needs one, else the one that runs this. */
async function nodeFor({ node }) {
  return node === undefined ? process.execPath : (await installedNode(node)).argv[0];
}

/** A Node from npm, pinned, in the same cache. */
export function installedNode(version) {
  const name = `node-${platform}`;
  const program = { spec: `${name}@${version}`, start: `${name}/bin/node` };
  return installed({ agent: "node", version, ...program });
}

/** All of them, two at a time. */
export function installAll(programs) {
  return inParallel(programs, 2, installed);
}

async function install({ spec, beside = [], overrides }, folder) {
  const partial = `${folder}.partial-${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    // Some name versions of others that are not to be had.
    if (overrides !== undefined)
      writeFileSync(join(partial, "package.json"), JSON.stringify({ private: true, overrides }));
    const peers = beside.length > 0 ? ["--legacy-peer-deps"] : [];
    await npm(["install", "--prefix", partial, ...quiet, ...peers, ...beside, spec]);
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

const quiet = [
  "--ignore-scripts",
  "--omit=optional",
  "--omit=dev",
  "--no-save",
  "--no-package-lock",
  "--no-audit",
  "--no-fund",
  "--loglevel=error",
];

function npm(args) {
  return new Promise((resolve, reject) => {
    const child = spawn("npm", args, { stdio: ["ignore", "ignore", "pipe"] });
    let errors = "";
    child.stderr.on("data", (data) => {
      errors += data;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`npm ${args.at(-1)}: ${errors.slice(-2000)}`));
    });
  });
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  for (const { agent, version, argv } of await installAll([...current, ...older])) {
    process.stdout.write(`${agent} ${version}: ${argv.join(" ")}\n`);
  }
}
