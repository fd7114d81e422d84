import { spawnSync } from "node:child_process";
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

/** What `less` would be told, from a pager that says it. */
async function told(args: readonly string[], own?: string): Promise<string> {
  const before = own === undefined ? "unset LESS" : `export LESS='${own}'`;
  const size = { columns: 100, rows: 60, machine: here, before };
  const open = openTerminal(["--sample", ...args], { ...size, pager: 'echo "[$LESS]"' });
  expect(await open.end()).toBe(0);
  await open.shows("]");
  return open.text();
}

test("less is told to say its keys; how to get from prompt to prompt stands in transcripts alone", async () => {
  expect(await told(["list"])).toContain("[-Ps/ search, space next page, q leaves?e (END).$ -FRX]");
  expect(await told(["show", "docker"])).toContain("[-Psn next prompt, / search");
  expect(await told(["show", "docker", "--raw"])).not.toContain("next prompt");
});

test("what the user set for less comes after our prompt, so that it holds", async () => {
  expect(await told(["list"], "-R -Psmine$")).toContain("?e (END).$ -R -Psmine$]");
  expect(await told(["list"], "RM")).toContain("?e (END).$ -RM]");
});

const hasLess = spawnSync("less", ["--version"]).status === 0;

test.skipIf(!hasLess)("the keys that less says are those that work in it", async () => {
  const size = { columns: 90, rows: 12, machine: here, pager: "less" };
  const open = openTerminal(["--sample", "show", "rate limit"], size);
  await open.shows("n next prompt, / search, space next page, q leaves");
  await open.shows("Rate limit");
  open.type("n");
  await open.until(() => /^#\d+ .* You/.test(open.lines()[0]!));
  open.type("q");
  expect(await open.end()).toBe(0);
});
