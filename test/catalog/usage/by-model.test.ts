import { appendFileSync } from "node:fs";
import { expect, test } from "vitest";
import { claudeRecord, emptyHome, putLines, reportFor } from "./machine.ts";

const models = [
  "claude-opus-4-6",
  "<synthetic>",
  "claude-haiku-4-5-20251001",
  "claude-sonnet-4-6",
] as const;

/** Numbers that look random, the same for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

/** A message as a subagent's is told in its parent's transcript while it works. */
function told(record: object): object {
  const { message, requestId, timestamp } = record as Readonly<Record<string, unknown>>;
  const inner = { type: "assistant", timestamp, message, requestId, uuid: "h" };
  const data = { message: inner, normalizedMessages: [], type: "agent_progress", agentId: "abc" };
  return { ...record, message: undefined, requestId: undefined, type: "progress", data };
}

test("what each model took is told of that model, also in a subagent's messages that its parent tells", async () => {
  const seed = Date.now() % 100_000;
  const next = numbers(seed);
  const env = emptyHome();
  const expected = new Map<string, number>();
  const lines = (file: number): readonly object[] =>
    Array.from({ length: 40 }, (_, index) => {
      const model = models[next(models.length)]!;
      const isSynthetic = model === "<synthetic>";
      const input = isSynthetic ? 0 : next(1_000);
      if (!isSynthetic) expected.set(model, (expected.get(model) ?? 0) + input);
      const record = claudeRecord({
        id: `m${file}-${index}`,
        request: `r${file}-${index}`,
        model,
        usage: { input_tokens: input, output_tokens: 0 },
      });
      return next(2) === 0 ? record : told(record);
    });
  const byModel = async (): Promise<ReadonlyMap<string, number>> => {
    const { groups } = await reportFor(env, { by: "model" });
    return new Map(groups.map(({ key, tokens }) => [key, tokens.input]));
  };
  const files = Array.from({ length: 8 }, (_, file) =>
    putLines(env, `.claude/projects/-home-dev-acme/s${file}.jsonl`, lines(file)),
  );
  expect(await byModel(), `seed ${seed}`).toEqual(new Map([...expected]));
  for (const [file, path] of files.entries()) {
    const more = lines(100 + file).map((line) => `${JSON.stringify(line)}\n`);
    appendFileSync(path, more.join(""));
  }
  expect(await byModel(), `grown, seed ${seed}`).toEqual(new Map([...expected]));
});

test("what no model wrote has no cost, whatever its record says", async () => {
  const env = emptyHome();
  const usage = { input_tokens: 5, output_tokens: 5 };
  putLines(env, ".claude/projects/-home-dev-acme/s1.jsonl", [
    claudeRecord({ id: "a", model: "<synthetic>", usage, more: { costUSD: 16 } }),
    told(claudeRecord({ id: "b", model: "<synthetic>", usage, more: { costUSD: 16 } })),
    claudeRecord({ id: "c", model: "<synthetic>", usage: { input_tokens: 0, output_tokens: 0 } }),
  ]);
  const { totals } = await reportFor(env, { by: "model" });
  expect(totals.costUsd).toBe(0);
  expect(totals.models.map(({ model, messages }) => [model, messages])).toEqual([
    ["<synthetic>", 2],
  ]);
});
