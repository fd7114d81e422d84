import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { putClaudeSession } from "./agents-home.ts";
import { type Machine, machine } from "./program.ts";
import { openTerminal } from "./terminal.ts";

const id = "5a3e1c0f-7b64-4d0e-9c55-00000000000e";
const size = { columns: 80, rows: 24 };

let here: Machine;
let reader: string;

beforeAll(() => {
  here = machine();
  const bin = join(here.home, "bin");
  mkdirSync(bin);
  // A program that, like less and the agents, does something of its own on Ctrl-C and goes on.
  reader = join(bin, "claude");
  const script = `#!/bin/sh
trap 'echo interrupted' INT
echo ready
until read word < /dev/tty; do :; done
echo "left with $word"
`;
  writeFileSync(reader, script);
  chmodSync(reader, 0o755);
  here.env["PATH"] = `${bin}:${here.env["PATH"]}`;
  putClaudeSession(here, { id }, [{ user: "Hello", says: "Hello to you" }]);
});

test.each([
  { what: "the pager", args: ["show", id] },
  { what: "the agent", args: ["resume", id] },
])("Ctrl-C is $what's while it has the terminal", async ({ args }) => {
  // Terminals throw away what is on its way when Ctrl-C comes, which may be the answer to it.
  const before = "stty noflsh";
  const open = openTerminal(args, { ...size, machine: here, pager: reader, before });
  await open.shows("ready");
  open.type("\u0003");
  await open.shows("interrupted");
  open.type("bye\r");
  await open.shows("left with bye");
  expect(await open.end()).toBe(0);
});

test.each([
  { signal: "SIGINT", code: 130 },
  { signal: "SIGTERM", code: 143 },
  { signal: "SIGHUP", code: 129 },
])("the picker gives the terminal back on $signal", async ({ signal, code }) => {
  const open = openTerminal([], { ...size, machine: here });
  await open.shows("Hello to you");
  open.signal(signal);
  expect(await open.end()).toBe(code);
  await open.isGivenBack();
});
