import { beforeAll, expect, test } from "vitest";
import { putClaudeSession } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";
import { openTerminal } from "./terminal.ts";

let here: Machine;

beforeAll(() => {
  here = machine();
  here.run("--sample", "list");
});

test("a terminal that knows no sequences gets lines: a list, and no search as one types", async () => {
  const size = { columns: 80, rows: 24, machine: here, kind: "dumb" };
  let open = openTerminal(["--sample"], size);
  expect(await open.end()).toBe(0);
  await open.shows("Docker build");
  expect(open.text()).not.toContain("❯");
  open = openTerminal(["--sample", "search"], size);
  expect(await open.end()).toBe(2);
  open = openTerminal(["--sample", "pick"], size);
  expect(await open.end()).toBe(2);
  await open.shows("Choosing needs a terminal");
});

test.each([
  { args: [], last: "4 sessions." },
  { args: ["list"], last: "4 sessions." },
  { args: ["show", "docker"], last: "Remove the line." },
  { args: ["show", "docker", "--prompts"], last: "Why does" },
])(
  "a terminal that knows no sequences gets none, and no pager: reprise $args",
  async ({ args, last }) => {
    const size = { columns: 100, rows: 40, machine: here, kind: "dumb" };
    const open = openTerminal(["--sample", ...args], { ...size, pager: "sed 's/^/paged /'" });
    expect(await open.end()).toBe(0);
    await open.shows(last);
    expect(open.text()).not.toContain("paged");
    expect(open.sent()).not.toContain("\u001b");
  },
);

test("what a search found fits the width of the terminal, in wide letters too", async () => {
  const wide = machine();
  const session = { id: "5a3e1c0f-7b64-4d0e-9c55-000000000010", cwd: "/tmp/検索" };
  putClaudeSession(wide, session, [
    {
      user: `見出し${"世界".repeat(40)}`,
      says: `${"前".repeat(60)} needle ${"後ろ🙂".repeat(60)}`,
    },
  ]);
  const open = openTerminal(["search", "needle"], { columns: 60, rows: 24, machine: wide });
  expect(await open.end()).toBe(0);
  await open.shows("indexed now");
  const [title, reference, event, blank] = open.lines();
  expect(title).toMatch(/^見出し.*… {2}claude-code · 検索 · /);
  expect(reference).toContain("claude-code:5a3e1c0f");
  expect(event).toMatch(/^ {2}@\d+ +assistant +…?前+ needle .*後/);
  expect(event).not.toContain("\ufffd");
  expect(blank).toBe("");
});
