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
