import { afterEach, beforeAll, expect, test } from "vitest";
import { type Machine, machine } from "./program.ts";
import { openTerminal, type Screen } from "./terminal.ts";

let here: Machine;
let open: Screen | undefined;

beforeAll(() => {
  here = machine();
  here.run("--sample", "list");
});

afterEach(() => {
  open?.kill();
  open = undefined;
});

test("a terminal that knows no sequences gets lines: a list, and no search as one types", async () => {
  const size = { columns: 80, rows: 24, machine: here, kind: "dumb" };
  open = openTerminal(["--sample"], size);
  expect(await open.end()).toBe(0);
  await open.shows("Docker build");
  expect(open.text()).not.toContain("❯");
  open = openTerminal(["--sample", "search"], size);
  expect(await open.end()).toBe(2);
  open = openTerminal(["--sample", "pick"], size);
  expect(await open.end()).toBe(2);
  await open.shows("Choosing needs a terminal");
});
