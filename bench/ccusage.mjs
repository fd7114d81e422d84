// The peer: the native ccusage, installed once into the user's cache, never into this project.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const version = "20.0.24";
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "reprise-bench");
const prefix = join(cache, `ccusage-${version}`);
const binary = join(
  prefix,
  "node_modules",
  "@ccusage",
  `ccusage-${process.platform}-${process.arch}`,
  "bin",
  process.platform === "win32" ? "ccusage.exe" : "ccusage",
);

/** Why the peer cannot be measured, or undefined where it is there. */
export function ccusageProblem() {
  if (!existsSync(binary)) {
    mkdirSync(prefix, { recursive: true });
    const args = ["install", "--prefix", prefix, "--no-audit", "--no-fund", "--ignore-scripts"];
    const npm = process.platform === "win32" ? "npm.cmd" : "npm";
    spawnSync(npm, [...args, `ccusage@${version}`], { stdio: "ignore", timeout: 300_000 });
  }
  if (!existsSync(binary)) return `ccusage@${version} could not be installed`;
  chmodSync(binary, 0o755);
  return undefined;
}

/** Runs the peer offline on a home of its own; returns what it printed and its milliseconds. */
export function ccusage(home, args) {
  const began = performance.now();
  const child = spawnSync(binary, [...args, "--offline", "--json", "-z", "UTC"], {
    env: { HOME: home, TZ: "UTC" },
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  });
  const ms = performance.now() - began;
  if (child.status !== 0) throw new Error(`ccusage ${args.join(" ")}\n${child.stderr}`);
  return { ms, report: JSON.parse(child.stdout) };
}
