import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { temporaryFolder } from "../temporary-folder.mjs";

export const root = resolve(import.meta.dirname, "..", "..");
export const program = join(root, "dist", "bin", "reprise.js");

export interface Result {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A machine of its own: a home folder, a working folder, and the built program. */
export interface Machine {
  readonly home: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  run(...args: readonly string[]): Result;
  runWith(
    options: { readonly input?: string; readonly cwd?: string },
    ...args: readonly string[]
  ): Result;
  /** Runs a command that must succeed, and reads its JSON. */
  json(...args: readonly string[]): Record<string, unknown>;
}

/** Makes a machine without any agent's session; its programs are this one's unless told otherwise. */
export function machine(options: { readonly path?: string } = {}): Machine {
  if (!existsSync(program)) throw new Error("Run `npm run build` first.");
  const home = temporaryFolder();
  const cwd = join(home, "work");
  mkdirSync(cwd);
  const PATH = options.path ?? process.env["PATH"];
  const env: NodeJS.ProcessEnv = {
    PATH,
    HOME: home,
    TZ: "UTC",
    npm_config_update_notifier: "false",
  };
  const runWith: Machine["runWith"] = (options, ...args) => {
    const result = spawnSync(process.execPath, [program, ...args], {
      cwd: options.cwd ?? cwd,
      env,
      encoding: "utf8",
      input: options.input ?? "",
      maxBuffer: 256 * 1024 * 1024,
    });
    return { status: result.status, stdout: result.stdout, stderr: result.stderr };
  };
  const run: Machine["run"] = (...args) => runWith({}, ...args);
  const json: Machine["json"] = (...args) => {
    const result = run(...args, "--json");
    if (result.status !== 0) throw new Error(`${args.join(" ")}: ${result.stderr}`);
    return JSON.parse(result.stdout) as Record<string, unknown>;
  };
  return { home, cwd, env, run, runWith, json };
}
