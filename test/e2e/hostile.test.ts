import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { putClaudeSession } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";

// Writes the clipboard, clears the screen with an eight-bit sequence, turns the text around.
const hostile = "\u001b]52;c;ZXZpbA==\u0007 \u009b2J \u202e";
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const id = "5a3e1c0f-7b64-4d0e-9c55-00000000000b";

let here: Machine;

beforeAll(() => {
  here = machine();
  putClaudeSession(here, { id, cwd: `/gone/${hostile}`, branch: hostile }, [
    { user: `Fix it ${hostile}`, says: `Fixed ${hostile}` },
    { record: { type: `news${hostile}` } },
  ]);
});

test.each([
  { command: ["list"] },
  { command: ["show", id] },
  { command: ["files", id] },
  { command: ["search", "fixed"] },
  { command: ["handoff", id] },
  { command: ["session", "restore", id] },
  { command: ["resume", id, "--in", "codex"] },
  { command: ["share", id] },
])("nothing a session says acts on the terminal: $command", ({ command }) => {
  const { status, stdout, stderr } = here.run(...command);
  expect(status).toBe(0);
  expect(stdout + stderr).not.toMatch(acting);
});

test.each([
  { command: ["list"] },
  { command: ["show", "carry on"] },
  { command: ["files", "carry on"] },
  { command: ["search", "onward"] },
  { command: ["bracket", "carry on"] },
  { command: ["verify", "carry on"] },
  { command: ["stats", "--by", "session"] },
  { command: ["resume", "carry on"] },
  { command: ["resume", "carry on", "--in", "codex"] },
  { command: ["import", "carry on"] },
  { command: ["share", "carry on"] },
  { command: ["rename", "carry on", "carry on"] },
])("nor does the id of a session: $command", ({ command }) => {
  const other = machine();
  const at = new Date().toISOString();
  const records = [
    { type: "session", version: 3, id: `x${hostile}`, timestamp: at, cwd: other.cwd },
    {
      type: "message",
      ...{ id: "a0b1c201", parentId: null, timestamp: at },
      message: { role: "user", content: [{ type: "text", text: "carry on, onward" }] },
    },
  ];
  const folder = join(other.home, ".pi", "agent", "sessions", "--work--");
  mkdirSync(folder, { recursive: true });
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  writeFileSync(join(folder, `2026-11-15T10-00-00-000Z_x${hostile}.jsonl`), lines);
  // Another agent is installed, so that going on there is offered by the session's name.
  const bin = join(other.home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "codex"), "#!/bin/sh\n", { mode: 0o755 });
  other.env["PATH"] = `${bin}:${other.env["PATH"]}`;
  const { status, stdout, stderr } = other.run(...command);
  expect(status).toBe(0);
  expect(stdout + stderr).not.toMatch(acting);
});
