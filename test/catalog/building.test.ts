import { statSync, utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { Finder } from "../../src/catalog/query/finder.ts";
import { claudeSession } from "./claude.ts";
import { emptyHome, options } from "./home.ts";

const wanted = { sessions: 100, events: 1, soFar: true };
const asked = { text: "papaya", mode: "words" } as const;

test("while the index is made the newest sessions are found first, and all of them at its end", async () => {
  const env = emptyHome();
  for (let number = 1; number <= 20; number += 1) {
    const file = claudeSession(env, number, ["a papaya", "x ".repeat(200_000)]);
    utimesSync(file, 1_790_000_000 + number, 1_790_000_000 + number);
  }
  const finder = await Finder.open({ ...options(env), deadlineMs: performance.now() });
  expect(finder.pending).toBe(20);
  expect((await finder.search(asked, wanted)).sessions).toEqual([]);
  let before = 0;
  while (await finder.goOn({ ms: 0 })) {
    const { sessions } = await finder.search(asked, wanted);
    const found = sessions
      .map(({ facts }) => Number(facts.session.slice(-12)))
      .sort((a, b) => b - a);
    expect(found.length).toBeGreaterThan(before);
    expect(found).toEqual(Array.from({ length: found.length }, (_, at) => 20 - at));
    before = found.length;
  }
  expect(before).toBeGreaterThan(2);
  expect(finder.pending).toBe(0);
  expect((await finder.search(asked, wanted)).sessions.length).toBe(20);
  finder.close();
});

test("right after it was made the index has no log beside it", async () => {
  const env = emptyHome();
  for (let number = 1; number <= 6; number += 1) {
    claudeSession(env, number, [
      Array.from({ length: 60_000 }, (_, at) => `w${number}x${at}`).join(" "),
    ]);
  }
  const finder = await Finder.open(options(env));
  const log = `${env.home}/.reprise/derived/catalog.db-wal`;
  expect(statSync(log, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  finder.close();
});
