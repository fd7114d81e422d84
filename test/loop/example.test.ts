import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.mjs";
import { serve } from "./agent.ts";
import { brokenRules } from "./model-server.mjs";

const root = resolve(import.meta.dirname, "..", "..");
const page = readFileSync(join(root, "docs", "agent-in-fifty-lines.md"), "utf8");
const code = /```js\n(.*?)```/s.exec(page)![1]!;

/** Runs the page's program with lines of input; returns what it printed. */
async function run(folder: string, url: string, lines: readonly string[]): Promise<string> {
  const { PATH } = process.env;
  const child = spawn(process.execPath, ["agent.mjs"], {
    cwd: folder,
    env: { PATH, HOME: folder, ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: url },
  });
  let printed = "";
  let waiting = [...lines];
  child.stdout.on("data", (data) => {
    printed += String(data);
    // A line is typed when the program asks for it.
    const [next, ...rest] = waiting;
    if (next === undefined || !/(?:> |\(y\/n\) )$/.test(printed)) return;
    waiting = rest;
    child.stdin.write(`${next}\n`);
  });
  child.stderr.pipe(process.stderr);
  const [status] = await once(child, "close");
  expect(status).toBe(0);
  return printed;
}

test("the agent of the page has about fifty lines, uses its tool, and remembers in its next process", async () => {
  expect(code.trim().split("\n").length).toBeLessThanOrEqual(56);
  const folder = temporaryFolder();
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules", "reprise"));
  writeFileSync(join(folder, "agent.mjs"), code);
  writeFileSync(join(folder, "notes.txt"), "The meeting is on Monday.");
  const server = await serve([
    { text: "Looking.", calls: [{ name: "read", input: { path: "notes.txt" } }] },
    { text: "On Monday, Alice." },
    { text: "Alice." },
  ]);
  const first = await run(folder, server.url, ["I am Alice. When do we meet?", "y", "bye"]);
  expect(first).toContain("On Monday, Alice.");
  const second = await run(folder, server.url, ["Who am I?", "bye"]);
  expect(second).toContain("Alice.");
  expect(server.requests.flatMap(brokenRules)).toEqual([]);
  expect(server.requests.at(-1)!.atoms.map(({ text }) => text)).toEqual([
    "I am Alice. When do we meet?",
    "Looking.",
    undefined,
    "The meeting is on Monday.",
    "On Monday, Alice.",
    "Who am I?",
  ]);
});
