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

test("search finds as one types, shows where, and Enter resumes the session", async () => {
  const open = openTerminal(["--sample", "search"], { columns: 100, rows: 24, machine: here });
  await open.shows("type to search");
  open.type("docker bui");
  await open.shows("1 found");
  await open.shows("@3 user: Why does the Docker build fail?");
  expect(open.lines().find((line) => line.startsWith("›"))).toContain("Docker build");
  open.type("\r");
  expect(await open.end()).toBe(0);
  await open.isGivenBack();
  await open.shows("pi --session");
});

test("a query that is not finished says what is missing, and Esc leaves", async () => {
  const open = openTerminal(["--sample", "search"], { columns: 80, rows: 16, machine: here });
  await open.shows("type to search");
  open.type('"rate');
  await open.shows("The query cannot be read");
  open.type(' limit"');
  await open.shows("found");
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
  await open.shows("Indexing");
  open.type("limiter");
  await open.shows(" left");
  await open.shows("found");
  const found = () => Number(/(\d+)\+? found/.exec(open.text())?.[1]);
  const building = open.lines().findLast((line) => line !== "");
  expect(building).toMatch(/^Indexing █*░+ \d+ % of \d+ MB, [\d.]+ [kM]B\/s, \d+ s left$/);
  expect(found()).toBeGreaterThan(0);
  expect(found()).toBeLessThan(sessions);
  // The end of it: every session is found, and the keys are told again.
  await open.shows(`${sessions} found`);
  await open.shows("Esc leave");
  open.type("\u001b");
  expect(await open.end()).toBe(0);
  await open.isGivenBack();
});
