import { beforeAll, expect, test } from "vitest";
import { type Machine, machine } from "./program.ts";
import { openTerminal, type Screen } from "./terminal.ts";

let here: Machine;

beforeAll(() => {
  here = machine();
  here.run("--sample", "list");
});

function onTerminal(
  args: readonly string[],
  size: { readonly columns: number; readonly rows: number },
): Screen {
  return openTerminal(args, { ...size, machine: here });
}

const chosenLine = (lines: readonly string[]): string =>
  lines.find((line) => line.startsWith("›")) ?? "";

test("the picker fits 80 x 24: search, list, preview of the chosen session, keys", async () => {
  const screen = onTerminal(["--sample"], { columns: 80, rows: 24 });
  await screen.shows("The counts live in memory");
  const lines = screen.lines();
  expect(lines[0]).toMatch(/^❯ ▏ +4\/4$/);
  expect(chosenLine(lines)).toContain("Rate limit for POST /todos");
  expect(lines.at(-1)).toContain("Esc leave");
  expect(screen.isAlternate()).toBe(true);
  screen.type("\u001b");
  expect(await screen.end()).toBe(0);
  await screen.isGivenBack();
});

test("typing searches, arrows choose, the preview follows, Enter shows the session", async () => {
  const screen = onTerminal(["--sample"], { columns: 100, rows: 30 });
  await screen.shows("4/4");
  screen.type("\u001b[B");
  await screen.shows("1 damaged record");
  expect(chosenLine(screen.lines())).toContain("GET /todos");
  screen.type("docker");
  await screen.shows("1/4");
  await screen.shows("Remove the line");
  expect(chosenLine(screen.lines())).toContain("Docker build");
  screen.type("\r");
  expect(await screen.end()).toBe(0);
  await screen.isGivenBack();
  await screen.shows("Line 7 of the Dockerfile");
});

test("a search without a match says so, erasing brings the list back", async () => {
  const screen = onTerminal(["--sample"], { columns: 80, rows: 24 });
  await screen.shows("4/4");
  screen.type("zzz");
  await screen.shows("nothing matches");
  screen.type("\r");
  screen.type("\u007f\u007f\u007f");
  await screen.shows("4/4");
  screen.type("\u0003");
  expect(await screen.end()).toBe(0);
});

test("the screen follows the size of the terminal", async () => {
  const screen = onTerminal(["--sample"], { columns: 80, rows: 24 });
  await screen.shows("4/4");
  screen.resize(60, 12);
  await screen.shows("Esc leave");
  screen.type("x");
  await screen.shows("❯ x▏");
  screen.type("\u0003");
  expect(await screen.end()).toBe(0);
});

test("a machine without sessions gets the sample and the next steps", async () => {
  const empty = machine();
  here = { ...here, env: empty.env, cwd: empty.cwd };
  const screen = onTerminal([], { columns: 120, rows: 40 });
  await screen.shows("4/4");
  screen.type("\u001b");
  expect(await screen.end()).toBe(0);
  await screen.shows("No agent's session was found");
  await screen.shows("npx --no-install reprise --sample show rate limit");
});
