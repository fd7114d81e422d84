import { describe, expect, test } from "vitest";
import { openMemory, openRecall, remember } from "../../../src/memory.ts";
import { claudeSession } from "../../catalog/claude.ts";
import { emptyHome } from "../../catalog/home.ts";
import { contradictions, type FactPair, smallTalk, updates } from "./facts.ts";

const nowMs = Date.parse("2026-11-20T00:00:00Z");

interface Counts {
  readonly asked: number;
  /** The older statement was given, the newer one was not. */
  readonly withoutUpdate: number;
  readonly oneSided: number;
  readonly newerFirst: number;
  readonly both: number;
}

/** Every wording of a fact in a home of its own, older statements in earlier sessions, and small talk between them. */
async function asked(pairs: readonly FactPair[], isEmbedded = false): Promise<Counts> {
  const rounds = Math.max(
    ...pairs.map(({ question }) => pairs.filter((one) => one.question === question).length),
  );
  const counts = { asked: 0, withoutUpdate: 0, oneSided: 0, newerFirst: 0, both: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const some = [...new Set(pairs.map(({ question }) => question))].flatMap(
      (question) => pairs.filter((one) => one.question === question)[round] ?? [],
    );
    const env = emptyHome();
    for (const [at, { older, newer }] of some.entries()) {
      const talk = (offset: number) => smallTalk[(at + offset) % smallTalk.length]!;
      const within = (text: string, offset: number): string =>
        isEmbedded ? `${talk(offset)} ${talk(offset + 3)}\n\n${text} ${talk(offset + 7)}` : text;
      claudeSession(env, at, [talk(0), within(older, 1), talk(1), talk(2)]);
      claudeSession(env, 500 + at, [talk(3), talk(4), within(newer, 2), talk(5)]);
    }
    const recall = await openRecall({ env, nowMs });
    for (const { question, older, newer } of some) {
      const { answers } = await recall.ask(question, { budgetTokens: 1_000, limit: 10 });
      const place = (said: string): number => answers.findIndex(({ text }) => text.includes(said));
      const [old, fresh] = [place(older), place(newer)];
      counts.asked += 1;
      if (old >= 0 && fresh < 0) counts.withoutUpdate += 1;
      if (old >= 0 !== fresh >= 0) counts.oneSided += 1;
      if (old >= 0 && fresh >= 0) {
        counts.both += 1;
        if (fresh < old) counts.newerFirst += 1;
      }
    }
    recall.close();
  }
  return counts;
}

describe("what was said before and is not true any more", () => {
  test("an outdated statement comes with its update, and the update comes first", async () => {
    const counts = await asked(updates);
    expect(counts.asked).toBeGreaterThanOrEqual(90);
    expect(counts.withoutUpdate / counts.asked).toBeLessThanOrEqual(0.02);
    expect(counts.newerFirst / counts.both).toBeGreaterThanOrEqual(0.9);
  });

  test("so it does if both stand in the middle of longer messages", async () => {
    const counts = await asked(updates, true);
    expect(counts.withoutUpdate / counts.asked).toBeLessThanOrEqual(0.02);
    expect(counts.newerFirst / counts.both).toBeGreaterThanOrEqual(0.9);
  });

  test("of a contradiction both sides are given", async () => {
    const counts = await asked(contradictions);
    expect(counts.oneSided / counts.asked).toBeLessThanOrEqual(0.05);
    expect(counts.newerFirst / counts.both).toBeGreaterThanOrEqual(0.9);
  });

  test("the same holds of memories: the newest statement of the user replaces the older one, visibly", async () => {
    const env = emptyHome();
    const memory = openMemory({ env });
    const some = updates.filter((_, at) => at % 3 === 0);
    for (const { older } of some) await remember(memory, { text: older });
    for (const { newer } of some) await remember(memory, { text: newer });
    memory.close();
    const recall = await openRecall({ env, nowMs });
    let [wrong, newerFirst] = [0, 0];
    for (const { question, older, newer } of some) {
      const { answers } = await recall.ask(question, { budgetTokens: 1_000, from: "memories" });
      const texts = answers.map(({ text }) => text);
      const [old, fresh] = [texts.indexOf(older), texts.indexOf(newer)];
      if (old >= 0 && fresh < 0) wrong += 1;
      if (old < 0 || fresh < old) newerFirst += 1;
    }
    recall.close();
    expect(wrong / some.length).toBeLessThanOrEqual(0.02);
    expect(newerFirst / some.length).toBeGreaterThanOrEqual(0.9);
  });
});
