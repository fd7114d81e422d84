import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { shapes } from "./shapes.mjs";

const run = promisify(execFile);
const children = join(import.meta.dirname, "children");

/** Records of the smaller session; the larger one has four times as many. */
const records = 600;

/** What takes more than its bytes cost. */
async function tooMuch(agent: string, work: string, named: readonly string[]): Promise<string> {
  const child = join(children, "growth.mjs");
  const args = [child, temporaryFolder(), agent, String(records), work, ...named];
  return (await run(process.execPath, args)).stdout;
}

describe.concurrent("reading costs no more than the bytes there are, whatever leads to what", () => {
  for (const agent of Object.keys(shapes)) {
    test(`sessions of ${agent}`, { timeout: 300_000 }, async () => {
      expect(await tooMuch(agent, "read", [])).toBe("");
    });
  }
});

/** The shapes that once took the longest. */
const worst = {
  "claude-code": ["their own parents", "one id for all", "empty objects", "broken lines"],
  codex: ["empty objects", "one large replacement"],
  pi: ["their own parents", "empty objects"],
  reprise: ["their own parents", "empty objects"],
  opencode: ["their own parents", "summaries of one message of many parts"],
};

describe.concurrent("so does putting them into the index", () => {
  for (const [agent, named] of Object.entries(worst)) {
    test(`sessions of ${agent}`, { timeout: 300_000 }, async () => {
      expect(await tooMuch(agent, "index", named)).toBe("");
    });
  }
});
