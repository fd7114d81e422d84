import { cpSync, readFileSync, truncateSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { Agent, AgentEvent, SessionRef } from "../../src/agents/contract.ts";
import { loadAgent } from "../../src/agents/registry.ts";
import { sourceEvents } from "../../src/agents/source.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const fixtures = resolve(import.meta.dirname, "..", "fixtures");

test.each([
  ["codex", "codex/0.166.0/compacted-auto"],
  ["copilot-cli", "copilot-cli/1.0.102/compact"],
  ["qwen-code", "qwen-code/0.24.4/compressed"],
  ["gemini-cli", "gemini-cli/0.61.0/compressed"],
])(
  "%s: a session read until an event is what a file that ends with its record says (%s)",
  async (name, folder) => {
    const home = copyOf(folder);
    const agent = (await loadAgent(name))!;
    // A file that is one value has no lines to end with.
    for (const ref of sessionsOf(agent, home).filter(({ path }) => path.endsWith(".jsonl"))) {
      const all = await eventsOf(agent, ref, { allBranches: true });
      for (const { line, length } of linesOf(ref)) {
        const last = all.findLast(({ number }) => number.split(".")[0] === String(line));
        if (last === undefined) continue;
        const until = await eventsOf(agent, ref, { until: last.number });
        const cut = copyOf(folder);
        truncateSync(ref.path.replace(home, cut), length);
        const same = sessionsOf(agent, cut).find(({ path }) =>
          path.endsWith(ref.path.slice(home.length)),
        )!;
        expect(said(until)).toEqual(said(await eventsOf(agent, same, {})));
      }
    }
  },
);

test("a fork read until an event, its own or one of its base, is what comes before it and the event", async () => {
  const home = copyOf("codex/0.166.0/forked");
  const agent = (await loadAgent("codex"))!;
  for (const ref of sessionsOf(agent, home)) {
    const live = (await eventsOf(agent, ref, {})).filter(({ body }) => body.type !== "meta");
    for (const [at, { number }] of live.entries()) {
      const until = await eventsOf(agent, ref, { until: number });
      const conversation = until.filter(({ body }) => body.type !== "meta");
      // What an answer took is recorded behind it.
      const numbers = conversation.slice(0, at + 1).map((event) => event.number);
      expect(numbers).toEqual(live.slice(0, at + 1).map((event) => event.number));
      expect(conversation.at(-1)?.number.split(".")[0]).toBe(number.split(".")[0]);
    }
  }
});

test("what a later compaction took out of a session is in a copy that ends before it", async () => {
  const home = copyOf("codex/0.166.0/compacted-auto");
  const agent = (await loadAgent("codex"))!;
  const [ref] = sessionsOf(agent, home);
  const all = await eventsOf(agent, ref!, { allBranches: true });
  const at = all.findIndex(({ body }) => body.type === "compaction");
  const before = all.slice(0, at).filter(({ body }) => body.type === "assistant");
  const last = before.at(-1)!;
  expect(last.live).toBe(false);
  const copied: AgentEvent[] = [];
  for await (const event of sourceEvents({ agent, ref: ref!, at: last.number })) copied.push(event);
  const answers = copied.filter(({ body }) => body.type === "assistant");
  expect(answers.map(({ number }) => number)).toEqual(before.map(({ number }) => number));
  expect(copied.some(({ body }) => body.type === "compaction")).toBe(false);
});

function copyOf(folder: string): string {
  const home = temporaryFolder();
  cpSync(join(fixtures, folder), home, { recursive: true });
  return home;
}

function sessionsOf(agent: Agent, home: string): readonly SessionRef[] {
  return [...agent.locate({ variables: {}, platform: "linux", home, cwd: home })];
}

async function eventsOf(
  agent: Agent,
  ref: SessionRef,
  options: { readonly allBranches?: boolean; readonly until?: string },
): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const batch of agent.read(ref, options)) events.push(...batch.events);
  return events;
}

const said = (events: readonly AgentEvent[]): readonly unknown[] =>
  events.map(({ number, live, body }) => ({ number, live, body }));

/** The lines of a session's file, from one, with how long the file is that ends with each. */
function linesOf({
  path,
}: SessionRef): readonly { readonly line: number; readonly length: number }[] {
  const bytes = readFileSync(path);
  const lines: { line: number; length: number }[] = [];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1))
    lines.push({ line: lines.length + 1, length: at + 1 });
  return lines;
}
