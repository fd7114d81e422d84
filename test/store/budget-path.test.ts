import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ContextMessage } from "../../src/context/messages.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const words = "what was said and done, at some length; ".repeat(100);

/** A session of so many turns, compacted after one of them. */
async function session(turns: number, { compactedAfter = -1 } = {}): Promise<string> {
  const folder = temporaryFolder();
  const made = SessionManager.create(folder, folder, { sync: "none" });
  made.appendSync({ type: "system", content: "Be brief." });
  for (let turn = 0; turn < turns; turn += 1) {
    made.appendSync({ type: "user", content: `prompt ${turn} ${words}` });
    made.appendSync({ type: "assistant", content: `answer ${turn} ${words}` });
    if (turn === compactedAfter) made.appendSync({ type: "compaction", summary: "It began." });
  }
  const file = made.getSessionFile()!;
  await made.close();
  return file;
}

function within(file: string, budgetTokens: number) {
  const child = join(import.meta.dirname, "children", "budget-cost.mjs");
  const told = execFileSync(process.execPath, [child, file, String(budgetTokens)], {
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(told.toString()) as {
    readonly readBytes: number;
    readonly messages: readonly ContextMessage[];
    readonly remarks: readonly string[];
  };
}

const begins = ({ content: [block] }: ContextMessage): string =>
  block?.type === "text" ? block.text.slice(0, 10).trim() : "";

test("a context within a budget reads as much as fits, however long the session is", async () => {
  const short = within(await session(1_000), 10_000);
  const long = within(await session(4_000), 10_000);
  expect(long.readBytes).toBeLessThan(short.readBytes * 1.2);
  expect(long.remarks).toContain("earlier_unread");
  expect(long.messages.map(({ role }) => role)).toEqual(short.messages.map(({ role }) => role));
  expect(begins(long.messages[0]!)).toBe("Be brief.");
  expect(begins(long.messages.at(-1)!)).toBe("answer 399");
  const tokens = long.messages.reduce((sum, { content }) => {
    const [block] = content;
    return sum + (block?.type === "text" ? block.text.length / 4 : 0);
  }, 0);
  expect(tokens).toBeGreaterThan(7_000);
  expect(tokens).toBeLessThan(10_000);
});

test("the summary of what was compacted stays, also where the budget is used up before it", async () => {
  const { messages } = within(await session(300, { compactedAfter: 20 }), 10_000);
  expect(messages[1]).toMatchObject({ role: "user", summary: true });
  expect(messages.length).toBeGreaterThan(5);
});

test("what fits whole is as without a budget", async () => {
  const file = await session(20);
  const opened = SessionManager.open(file);
  const whole = opened.buildSessionContext();
  const fitted = opened.buildSessionContext({ budgetTokens: 100_000 });
  expect(fitted).toEqual(whole);
  await opened.close();
});
