import { beforeAll, expect, test } from "vitest";
import { putClaudeSession } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";
import { openTerminal } from "./terminal.ts";

let here: Machine;

beforeAll(() => {
  here = machine();
  const code = `\t\t\t\t${"x".repeat(60)}\n`.repeat(3);
  for (const [at, title] of ["Indent it", "Second", "Third", "Oldest"].entries()) {
    const id = `5a3e1c0f-7b64-4d0e-9c55-00000000000${at}`;
    putClaudeSession(here, { id, ageMinutes: 10 + at }, [
      { user: title, says: `${code}last line` },
    ]);
  }
});

test("tabs in a preview do not push the screen out of place", async () => {
  const open = openTerminal([], { columns: 80, rows: 24, machine: here });
  await open.shows("last line");
  expect(open.lines()[0]).toMatch(/^❯ ▏ +4\/4$/);
  expect(open.lines().at(-1)).toContain("Esc leave");
});

test.each([{ args: [] }, { args: ["search"] }])(
  "a query in wide letters stays on its line: reprise $args",
  async ({ args }) => {
    const open = openTerminal(args, { columns: 40, rows: 24, machine: here });
    await open.shows("Esc leave");
    open.type(`${"検索".repeat(20)}終`);
    await open.shows("終▏");
    expect(open.lines()[0]).toMatch(/^❯ .*検索終▏/);
    expect(open.lines().at(-1)).toContain("Esc clear");
  },
);

test.each([
  { columns: 1, rows: 1, first: "❯" },
  { columns: 3, rows: 2, first: "❯" },
  { columns: 12, rows: 3, first: "❯ ▏     4/4" },
])("a terminal of $columns x $rows shows the top of the screen", async ({ first, ...size }) => {
  const open = openTerminal([], { ...size, machine: here });
  await open.shows(first);
  expect(open.lines()[0]).toMatch(/^❯/);
  open.type("\u001b");
  expect(await open.end()).toBe(0);
  await open.isGivenBack();
});

test("the chosen session is seen where there is room for one", async () => {
  const open = openTerminal([], { columns: 60, rows: 2, machine: here });
  await open.shows("Indent it");
  open.type("\u001b[F");
  await open.shows("Oldest");
  expect(open.lines()[1]).toMatch(/^› .*Oldest/);
});

test("a terminal that does not know its size is taken for one of 80 x 24", async () => {
  const size = { columns: 80, rows: 24, machine: here };
  const open = openTerminal([], { ...size, before: "stty cols 0 rows 0" });
  await open.shows("last line");
  expect(open.lines().at(-1)).toContain("Esc leave");
});
