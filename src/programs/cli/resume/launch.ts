import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { constants as system } from "node:os";
import { delimiter, join } from "node:path";
import type { Agent, ResumeCommand } from "../../../agents/contract.ts";
import type { Environment } from "../../../base/env.ts";
import { RepriseError } from "../../../base/errors.ts";
import type { CommandContext } from "../run/command.ts";
import { lendTerminal } from "../terminal/lend-terminal.ts";
import { safeLine } from "../terminal/terminal-text.ts";

/** Whether an agent's program can be started from here. */
export function isInstalled({ program }: Agent, env: Environment): boolean {
  if (program === undefined) return false;
  const endings = env.platform === "win32" ? [".cmd", ".exe", ".ps1", ""] : [""];
  const folders = (env.variables["PATH"] ?? "").split(env.platform === "win32" ? ";" : delimiter);
  return folders.some((folder) =>
    endings.some((ending) => isProgram(join(folder, `${program}${ending}`))),
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A command as a shell reads it. */
export function commandText({ argv, cwd, env }: ResumeCommand): string {
  const settings = Object.entries(env ?? {}).map(([name, value]) => `${name}=${quoted(value)}`);
  const words = [...settings, ...argv.map(quoted)].join(" ");
  return safeLine(cwd === undefined ? words : `cd ${quoted(cwd)} && ${words}`);
}

function quoted(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Starts a program on this terminal and waits for its end; its exit code becomes ours. */
export async function launch(
  { argv, cwd, env }: ResumeCommand,
  context: CommandContext,
): Promise<void> {
  const [program = "", ...args] = argv;
  const child = spawn(program, args, {
    stdio: "inherit",
    ...(cwd !== undefined && { cwd }),
    env: { ...context.env.variables, ...env },
  });
  const failed = once(child, "error").then(([error]: unknown[]) => {
    throw new RepriseError("not_found", `${program} could not be started.`, {
      cause: error,
      hint: "Is the agent installed, and does the project's folder still exist?",
    });
  });
  const closed = once(child, "close").then(([code, signal]: unknown[]) => {
    // As a shell says it of a program that a signal ended.
    const number = system.signals[signal as NodeJS.Signals] ?? 0;
    process.exitCode = typeof code === "number" ? code : 128 + number;
  });
  await lendTerminal(() => Promise.race([closed, failed]));
}
