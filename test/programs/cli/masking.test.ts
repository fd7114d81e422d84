import { expect, test } from "vitest";
import type { AgentEvent } from "../../../src/agents/contract.ts";
import type { SessionHead } from "../../../src/model/head.ts";
import { maskSession } from "../../../src/programs/cli/share/masking.ts";

const prompt = "DB_HOST=db1\nDB_PASSWORD=swordfish\nstart the app";
const head: SessionHead = {
  agent: "reprise",
  session: "s",
  path: "/s.jsonl",
  sizeBytes: 1,
  updatedAt: "2026-03-01T10:00:00.000Z",
  state: "waiting",
  title: "DB_HOST=db1 DB_PASSWORD=swordfish start the app",
};

async function* said(...contents: readonly string[]): AsyncGenerator<AgentEvent> {
  for (const [index, content] of contents.entries())
    yield { number: `${index + 1}`, live: true, body: { type: "user", content } };
}

async function outgoing(given: SessionHead, ...contents: readonly string[]) {
  const masking = maskSession();
  const { head: safe, events } = await masking.session({ head: given, events: said(...contents) });
  const numbers: string[] = [];
  for await (const { number } of events) numbers.push(number);
  return { head: safe, numbers, found: masking.found() };
}

test("a title made of the first prompt is made of the masked prompt", async () => {
  const { head: safe, numbers } = await outgoing(head, prompt, "next");
  expect(JSON.stringify(safe)).not.toContain("swordfish");
  expect(safe.title).toMatch(/^DB_HOST=db1 DB_PASSWORD=\[secret:password:[0-9a-f]{4}\] start/);
  expect(numbers).toEqual(["1", "2"]);
});

test("a title of its own is masked as it is", async () => {
  const token = `ghp_${"Zk3vQ9xLm7TtR2wYb8NcHd5JfGs4PaEu6KiW"}`;
  const { head: safe } = await outgoing({ ...head, titled: true, title: `use ${token}` }, prompt);
  expect(safe.title).toMatch(/^use \[secret:github-token:/);
});

test("a session nobody prompted has no title", async () => {
  const { head: safe, numbers } = await outgoing(head);
  expect(safe.title).toBeUndefined();
  expect(numbers).toEqual([]);
});
