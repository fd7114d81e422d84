import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../src/base/env.ts";

/** The id of the session with a number. */
export function id(number: number): string {
  return `5a3e1c0f-7b64-4d0e-9c55-${String(number).padStart(12, "0")}`;
}

/** Writes a session as Claude Code does, a prompt a line; returns its file. */
export function claudeSession(
  env: Environment,
  number: number,
  prompts: readonly string[],
  folder = "-work",
): string {
  const lines = prompts.map((text, at) => `${claudeLine(env, number, at, text)}\n`);
  return claudeFile(env, number, lines, folder);
}

/** Writes lines as a session of Claude Code; returns its file. */
export function claudeFile(
  env: Environment,
  number: number,
  lines: readonly string[],
  folder = "-work",
): string {
  const project = join(env.home, ".claude", "projects", folder);
  mkdirSync(project, { recursive: true });
  const file = join(project, `${id(number)}.jsonl`);
  writeFileSync(file, lines.join(""));
  return file;
}

/** A line of a prompt, as Claude Code writes it. */
export function claudeLine(
  env: Environment,
  number: number,
  at: number,
  text: string,
  more: Readonly<Record<string, unknown>> = {},
): string {
  const uuid = (index: number): string =>
    `${id(number).slice(0, 24)}${String(index).padStart(12, "a")}`;
  return JSON.stringify({
    parentUuid: at === 0 ? null : uuid(at - 1),
    isSidechain: false,
    userType: "external",
    cwd: env.cwd,
    sessionId: id(number),
    version: "2.1.325",
    gitBranch: "main",
    type: "user",
    message: { role: "user", content: text },
    uuid: uuid(at),
    timestamp: new Date(
      Date.parse("2026-11-15T10:00:00Z") + number * 60_000 + at * 1000,
    ).toISOString(),
    ...more,
  });
}
