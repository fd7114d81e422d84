import { beforeAll, expect, test } from "vitest";
import { seeded } from "../random.mjs";
import { putClaudeSession } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";
import { openTerminal } from "./terminal.ts";

let here: Machine;

beforeAll(() => {
  here = machine();
  here.run("--sample", "list");
});

test("search without words is the home screen: it finds what was said, shows where, and ^R resumes", async () => {
  const open = openTerminal(["--sample", "search"], { columns: 100, rows: 24, machine: here });
  await open.shows("4/4");
  open.type("missing script");
  await open.shows("npm error Missing script: build");
  expect(open.lines().find((line) => line.startsWith("›"))).toContain("Docker build");
  open.type("\u0012");
  expect(await open.end()).toBe(0);
  await open.isGivenBack();
  await open.shows("pi --session");
});

test("a query that is not finished says what is missing, and Esc clears it, then leaves", async () => {
  const open = openTerminal(["--sample", "search"], { columns: 80, rows: 16, machine: here });
  await open.shows("4/4");
  open.type('"rate');
  await open.shows("The query cannot be read");
  open.type(' limit"');
  await open.shows("1/4");
  open.type("\u001b");
  await open.shows("4/4");
  open.type("\u001b");
  expect(await open.end()).toBe(0);
  await open.isGivenBack();
});

test("while the index is built, what was read is found and a bar tells the rate and the time left", async () => {
  const many = machine();
  const random = seeded(19);
  const sessions = 40;
  const words = (): string =>
    Array.from({ length: 250 }, () => `w${random.below(100_000).toString(36)}`).join(" ");
  const said = Array.from({ length: 250 }, words);
  for (let number = 1; number <= sessions; number += 1) {
    const id = `5a3e1c0f-7b64-4d0e-9c55-${String(number).padStart(12, "0")}`;
    const turns = said.map((says, at) => ({ user: `question ${at} of ${number}`, says }));
    putClaudeSession(many, { id, ageMinutes: number }, [{ user: "Add a limiter" }, ...turns]);
  }
  const open = openTerminal(["search"], { columns: 100, rows: 24, machine: many });
  await open.shows(`${sessions}/${sessions}`);
  // A word that no title and no first prompt has.
  open.type("question");
  const found = () => Number(/(\d+)\/40/.exec(open.lines()[0]!)?.[1]);
  const building = () => open.lines().findLast((line) => line.startsWith("Indexing")) ?? "";
  await open.until(() => / left$/.test(building()) && found() > 0 && found() < sessions);
  expect(building()).toMatch(/^Indexing █*░+ \d+ % of \d+ MB, [\d.]+ [kM]B\/s, \d+ s left$/);
  // The end of it: every session is found, and the keys are told again.
  await open.until(() => found() === sessions);
  await open.shows("Esc clear");
  open.type("\u0003");
  expect(await open.end()).toBe(0);
  await open.isGivenBack();
});
