// The peer: ripgrep, whose binaries come as npm packages; installed once into the user's cache.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const name = "@vscode/ripgrep";
const version = "1.18.0";
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "reprise-bench");
const prefix = join(cache, `ripgrep-${version}`);
const program = join(
  prefix,
  "node_modules",
  `${name}-${process.platform}-${process.arch}`,
  "bin",
  process.platform === "win32" ? "rg.exe" : "rg",
);

/** The program's file; undefined where it cannot be had. */
export function ripgrep() {
  if (existsSync(program)) return program;
  mkdirSync(prefix, { recursive: true });
  const args = ["install", "--prefix", prefix, "--no-audit", "--no-fund", "--ignore-scripts"];
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  spawnSync(npm, [...args, `${name}@${version}`], { stdio: "ignore", timeout: 300_000 });
  return existsSync(program) ? program : undefined;
}

/** Milliseconds of one search, from start to exit. */
export function runRipgrep(args) {
  const began = performance.now();
  const child = spawnSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  const ms = performance.now() - began;
  // 1 means that nothing was found.
  if (child.status !== 0 && child.status !== 1) throw new Error(child.stderr);
  return ms;
}
