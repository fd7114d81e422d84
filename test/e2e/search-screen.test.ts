import { beforeAll, expect, test } from "vitest";
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
