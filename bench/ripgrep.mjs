// The peer: ripgrep, whose binaries come as npm packages.
import { spawnSync } from "node:child_process";
import { installed } from "./installed.mjs";

const name = "@vscode/ripgrep";
const file = process.platform === "win32" ? "rg.exe" : "rg";

/** The program's file; undefined where it cannot be had. */
export function ripgrep() {
  const built = `${name}-${process.platform}-${process.arch}`;
  return installed(`${name}@1.18.0`, built, "bin", file);
}

/** Milliseconds of one search, from start to exit. */
export function runRipgrep(program, args) {
  const began = performance.now();
  const child = spawnSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  const ms = performance.now() - began;
  // 1 means that nothing was found.
  if (child.status !== 0 && child.status !== 1) throw new Error(child.stderr);
  return ms;
}
