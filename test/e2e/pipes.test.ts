import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.mjs";

const program = join(import.meta.dirname, "../../dist/bin/reprise.js");

/** What a command answered; a process that waits for a pipe is ended, and then has no status. */
function answered(home: string, args: readonly string[]) {
  const env = { PATH: process.env["PATH"], HOME: home, XDG_DATA_HOME: "", REPRISE_HOME: "" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: home,
    env: { ...env, REPRISE_HOME: join(home, ".reprise") },
    encoding: "utf8",
    timeout: 20_000,
    killSignal: "SIGKILL",
  });
  return { status, stdout, stderr };
}

function pipeAt(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  execFileSync("mkfifo", [path]);
}

const session = "0a0b0c0d-1111-4222-8333-444455556666";
const transcript = `.claude/projects/-home/${session}.jsonl`;

/** A home with one sound session. */
function home(): string {
  const made = temporaryFolder();
  const path = join(made, transcript);
  mkdirSync(dirname(path), { recursive: true });
  const record = {
    type: "user",
    uuid: "u1",
    parentUuid: null,
    sessionId: session,
    timestamp: "2026-11-15T18:24:50.461Z",
    cwd: made,
    message: { role: "user", content: "needle" },
  };
  writeFileSync(path, `${JSON.stringify(record)}\n`);
  return made;
}

/** Every file of others and of ours that a command looks at, in places where a pipe may lie instead. */
const places = [
  ".local/share/opencode/opencode.db",
  ".local/share/opencode/opencode.db-wal",
  ".local/state/opencode/model.json",
  `.codex/sessions/2026/11/15/rollout-2026-11-15T18-50-19-${session}.jsonl`,
  `.codex/sessions/2026/11/15/rollout-2026-11-15T18-50-19-${session}.jsonl.zst`,
  ".codex/session_index.jsonl",
  ".gemini/tmp/acme/chats/session-2026-11-15T18-18-00000001.jsonl",
  ".gemini/projects.json",
  `.pi/agent/sessions/--home--/2026-11-15T18-19-48-767Z_${session}.jsonl`,
  ".pi/agent/settings.json",
  ".claude/settings.json",
  ".aider.chat.history.md",
  ".reprise/prices.json",
  ".reprise/settings.json",
  ".reprise/derived/heads.json",
  ".reprise/derived/usage.bin",
];

const commands = [["list", "--all"], ["search", "needle"], ["stats"], ["hooks", "status"]];

test("a pipe in place of a file is never waited for, and costs nobody else", {
  timeout: 240_000,
}, () => {
  const made = home();
  for (const place of places) pipeAt(join(made, place));
  for (const args of commands) {
    const { status, stderr } = answered(made, args);
    expect({ args, ended: status !== null, stderr }).toMatchObject({ args, ended: true });
    expect(stderr).not.toMatch(/\bat .*\.js:\d+|E[A-Z]{4,}: /);
  }
  expect(answered(made, ["list", "--all", "--json"]).stdout).toContain(session);
  expect(answered(made, ["search", "needle", "--json"]).stdout).toContain(session);
});

test("a pipe, a folder or a circle of links as the file of prices is named as what it is", () => {
  const made = home();
  const prices = join(made, "p.json");
  pipeAt(prices);
  const pipe = answered(made, ["stats", "--prices", prices, "--json"]);
  expect(pipe.status).toBe(1);
  expect(pipe.stderr).toContain("not a regular file");
  rmSync(prices);
  mkdirSync(prices);
  expect(answered(made, ["stats", "--prices", prices]).stderr).toMatch(/folder|not a regular file/);
});

test("a pipe is nobody's session", () => {
  const made = home();
  pipeAt(join(made, transcript));
  for (const command of ["show", "handoff", "resume"]) {
    const { status } = answered(made, [command, `claude-code:${session}`]);
    expect({ command, status }).toEqual({ command, status: 3 });
  }
});
