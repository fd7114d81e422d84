import { beforeAll, expect, test } from "vitest";
import { type Machine, machine } from "./program.ts";
import { openTerminal } from "./terminal.ts";

let here: Machine;

beforeAll(() => {
  here = machine();
});

test("on a terminal a transcript goes through the pager, with colours", async () => {
  const size = { columns: 100, rows: 60, machine: here };
  const open = openTerminal(["--sample", "show", "docker", "build"], {
    ...size,
    pager: "sed 's/^/| /'",
  });
  expect(await open.end()).toBe(0);
  await open.shows("| Docker build");
  await open.shows("Remove the line");
});

test("leaving the pager early ends the reading without an error", async () => {
  const { session } = here.json("new") as { readonly session: string };
  const line = `${JSON.stringify({ role: "user", content: "x".repeat(2000) })}\n`;
  here.runWith({ input: line.repeat(3000) }, "append", session);
  const size = { columns: 100, rows: 30, machine: here };
  const open = openTerminal(["show", session], { ...size, pager: "head -n 1" });
  expect(await open.end()).toBe(0);
  expect(open.text()).not.toContain("reprise:");
});

test("where the pager is not installed the transcript is printed", async () => {
  const size = { columns: 100, rows: 60, machine: here };
  const open = openTerminal(["--sample", "show", "docker"], { ...size, pager: "no-such-pager -R" });
  expect(await open.end()).toBe(0);
  await open.shows("Remove the line");
});

test("a list on a terminal fits its width", async () => {
  const open = openTerminal(["--sample", "list"], { columns: 80, rows: 24, machine: here });
  expect(await open.end()).toBe(0);
  await open.shows("Docker build");
  const rows = open.lines().filter((line) => line.startsWith("  "));
  expect(rows).toHaveLength(4);
  expect(rows[0]).toContain("Rate limit");
});
