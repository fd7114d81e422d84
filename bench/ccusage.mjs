// The peer: the native ccusage.
import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { installed } from "./installed.mjs";

const spec = "ccusage@20.0.24";
const name = `ccusage-${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "ccusage.exe" : "ccusage";
const binary = () => installed(spec, "@ccusage", name, "bin", file);

/** Why the peer cannot be measured, or undefined where it is there. */
export function ccusageProblem() {
  const path = binary();
  if (path === undefined) return `${spec} could not be installed`;
  chmodSync(path, 0o755);
  return undefined;
}

/** Runs the peer offline on a home of its own; returns what it printed and its milliseconds. */
export function ccusage(home, args) {
  const program = binary();
  const began = performance.now();
  const child = spawnSync(program, [...args, "--offline", "--json", "-z", "UTC"], {
    env: { HOME: home, TZ: "UTC" },
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  });
  const ms = performance.now() - began;
  if (child.status !== 0) throw new Error(`ccusage ${args.join(" ")}\n${child.stderr}`);
  return { ms, report: JSON.parse(child.stdout) };
}
