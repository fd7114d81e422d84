import { beforeAll, expect, test } from "vitest";
import { type Machine, machine } from "./program.ts";
import { openTerminal, type Screen } from "./terminal.ts";

let here: Machine;

beforeAll(() => {
  here = machine();
  here.run("--sample", "list");
});

function searching(): Screen {
  return openTerminal(["--sample", "search"], { columns: 100, rows: 24, machine: here });
}

test("Enter takes what the query finds, also where it comes before the answer", async () => {
  const screen = searching();
  await screen.shows("4/4");
  screen.type("docker build");
  await screen.shows("1/4");
  // Nothing but the content has it, and that takes a moment.
  screen.type("\u0015answers 429\r");
  expect(await screen.end()).toBe(0);
  await screen.shows("POST /todos now answers 429");
});

test("pasted lines are text, and no Enter", async () => {
  const screen = searching();
  await screen.shows("4/4");
  screen.type("docker");
  await screen.shows("1/4");
  screen.type("\u001b[200~ build\nfa");
  screen.type("il\r\n\u001b[20");
  screen.type("1~s");
  await screen.shows("❯ docker build fail s▏");
  screen.type("\u0003");
  expect(await screen.end()).toBe(0);
});
