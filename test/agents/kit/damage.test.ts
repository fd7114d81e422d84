import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Agent, AgentEvent, ReadBatch, SessionRef } from "../../../src/agents/contract.ts";
import { seeded } from "../../random.mjs";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { damageDatabase, damageText, lineDamages, lineSpans } from "./damage.ts";
import { assertSurvives } from "./survives.ts";

const folder = temporaryFolder();

const lines = Array.from({ length: 12 }, (_, index) => `{"n":${index},"text":"line ${index}"}`);
const source = join(folder, "session.jsonl");
writeFileSync(source, `${lines.join("\n")}\n`);

const ref = (path: string): SessionRef => ({
  agent: "test",
  session: "s",
  path,
  sizeBytes: 0,
  modifiedMs: 0,
});

function agentThat(read: () => ReadBatch): Agent {
  return {
    name: "test",
    title: "Test",
    revision: 1,
    roots: () => [],
    capabilities: {
      thinking: false,
      images: false,
      tree: false,
      compaction: false,
      subagents: false,
      titles: false,
      needsSqlite: false,
      versionsProven: [],
    },
    locate: () => [],
    head: () => undefined,
    read: async function* () {
      yield read();
    },
  };
}

const event = (line: number): AgentEvent => ({
  number: String(line),
  live: true,
  body: { type: "user", content: `line ${line}` },
});

test("the same seed and round give the same damage", () => {
  const original = Buffer.from(`${lines.join("\n")}\n`);
  const twice = [1, 2].map(() => damageText(original, { kind: "lines", random: seeded(7, 3) }));
  expect(twice[0]).toEqual(twice[1]);
});

test("a line that no damage names is whole in the damaged file", () => {
  const original = Buffer.from(`${lines.join("\n")}\n`);
  const spans = lineSpans(original);
  for (const [name, harm] of Object.entries(lineDamages)) {
    for (let round = 0; round < 50; round += 1) {
      const damaged = harm(original, spans, seeded(1, round));
      const text = damaged.bytes.toString("latin1");
      lines.forEach((line, index) => {
        if (!damaged.touched?.has(index + 1)) expect(text, name).toContain(line);
      });
    }
  }
});

test("a database is damaged without a promise of what comes back", () => {
  const original = Buffer.alloc(8 * 4096, 1);
  original.writeUInt16BE(4096, 16);
  for (let round = 0; round < 50; round += 1) {
    const damaged = damageDatabase(original, {
      random: seeded(1, round),
      wal: Buffer.alloc(9000, 2),
    });
    expect(damaged.touched).toBeUndefined();
    expect(damaged.bytes.equals(original) && damaged.wal?.equals(Buffer.alloc(9000, 2))).toBe(
      false,
    );
  }
});

test("a reader that throws, loses untouched records or takes too long is found", async () => {
  let calls = 0;
  const whole: ReadBatch = { events: lines.map((_, i) => event(i + 1)), damage: [], cursor: "" };
  const first = (then: () => ReadBatch) => () => (calls++ === 0 ? whole : then());
  const run = (agent: Agent) => {
    calls = 0;
    return assertSurvives({
      agent,
      sources: [source],
      kind: "lines",
      ref,
      rounds: 20,
      timeoutMs: 100,
    });
  };
  await expect(run(agentThat(() => whole))).resolves.toBeUndefined();
  await expect(run(agentThat(first(() => JSON.parse("{"))))).rejects.toThrow(
    /threw.*seed 20261115, round 0/,
  );
  await expect(
    run(agentThat(first(() => ({ events: [], damage: [], cursor: "" })))),
  ).rejects.toThrow(/seed 20261115/);
  const slow = first(() => {
    const started = process.cpuUsage();
    while (process.cpuUsage(started).user < 150_000);
    return whole;
  });
  await expect(run(agentThat(slow))).rejects.toThrow(/took \d+ ms/);
});
