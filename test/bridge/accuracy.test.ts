import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { loadAgents, loadHooks } from "../../src/agents/registry.ts";
import { estimatedContext } from "../../src/bridge/state/context-size.ts";
import { lastUsage } from "../../src/context/tokens.ts";
import type { SessionEvent } from "../../src/model/event.ts";

const agents = await loadAgents();

const fixtures = resolve(import.meta.dirname, "..", "fixtures");

/** Every transcript of an agent's fixtures. */
function transcripts(agent: string): readonly string[] {
  return readdirSync(join(fixtures, agent), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl") && isTranscript(agent, name))
    .map((name) => join(fixtures, agent, name))
    .sort();
}

function isTranscript(agent: string, name: string): boolean {
  if (agent === "claude-code") return /projects\/[^/]+\/[^/]+\.jsonl$/.test(name);
  return agent === "codex"
    ? /rollout-[^/]*\.jsonl$/.test(name)
    : /chats\/session-[^/]*\.jsonl$/.test(name);
}

/** By the whole session, as our reader reads it: the newest usage and the number of prompts. */
async function byReader(name: string, path: string) {
  const agent = agents.find((known) => known.name === name)!;
  const ref = { agent: name, session: "x", path, sizeBytes: 1, modifiedMs: 0 };
  const events: SessionEvent[] = [];
  for await (const batch of agent.read(ref, { allBranches: true })) {
    for (const { body, sidechain } of batch.events) {
      if (sidechain !== undefined) continue;
      events.push({ ...body, id: events.length + 1, at: "" } as SessionEvent);
    }
  }
  const prompts = events.filter((event) => event.type === "user" && event.injected !== true).length;
  return { last: lastUsage(events)?.tokens, prompts };
}

for (const agent of ["claude-code", "codex", "gemini-cli"]) {
  test(`${agent}: the context's size by the tail is the last real usage of the whole session`, async () => {
    const rows: string[] = [];
    const hooks = (await loadHooks(agent))!;
    for (const path of transcripts(agent)) {
      const { last, prompts } = await byReader(agent, path);
      const found = hooks.usageFromTail(path)?.contextTokens;
      const name = path.slice(fixtures.length + 1, fixtures.length + 60);
      // After a compaction there is no usage yet; Claude Code states what it left.
      if (last !== undefined) expect(found, name).toBe(last);
      const guessed = estimatedContext(prompts).tokens;
      if (last !== undefined)
        rows.push(
          `${name}: ${found} tokens; by ${prompts} prompts ${guessed}, off by ${guessed - last}`,
        );
    }
    expect(rows.length).toBeGreaterThan(3);
    process.stdout.write(`${rows.join("\n")}\n`);
  });
}
