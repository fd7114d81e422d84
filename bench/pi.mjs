// The peer: pi's own SessionManager, installed once into the user's cache, never into this project.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const name = "@mariozechner/pi-coding-agent";
const version = "0.73.1";
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "reprise-bench");
const prefix = join(cache, `pi-${version}`);
const manager = join(prefix, "node_modules", name, "dist", "core", "session-manager.js");

/** Why the peer cannot be measured, or undefined where it is there. */
export function piProblem() {
  if (existsSync(manager)) return undefined;
  mkdirSync(prefix, { recursive: true });
  const args = ["install", "--prefix", prefix, "--no-audit", "--no-fund", "--ignore-scripts"];
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  spawnSync(npm, [...args, `${name}@${version}`], { stdio: "ignore", timeout: 300_000 });
  return existsSync(manager) ? undefined : `${name}@${version} could not be installed`;
}

/** pi's SessionManager. */
export async function loadPi() {
  const { SessionManager } = await import(pathToFileURL(manager).href);
  return SessionManager;
}
