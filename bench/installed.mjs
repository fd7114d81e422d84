// What is measured against, from npm: installed once into the user's cache, never into this project.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "reprise-bench");

/** A file below `node_modules` once a package is installed, such as `name@1.2.3`; undefined where it cannot be had. */
export function installed(spec, ...path) {
  const prefix = join(cache, spec.replaceAll("/", "-"));
  const file = join(prefix, "node_modules", ...path);
  if (existsSync(file)) return file;
  mkdirSync(prefix, { recursive: true });
  const args = ["install", "--prefix", prefix, "--no-audit", "--no-fund", "--ignore-scripts"];
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  spawnSync(npm, [...args, spec], { stdio: "ignore", timeout: 300_000 });
  return existsSync(file) ? file : undefined;
}
