import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Environment } from "../../src/base/env.ts";
import { Finder } from "../../src/catalog/query/finder.ts";
import type { Found } from "../../src/catalog/query/found.ts";
import { claudeSession, id } from "./claude.ts";
import { emptyHome, options } from "./home.ts";

/** The newest sessions that have a text, as it is. */
async function newest(env: Environment, text: string, sessions: number): Promise<Found> {
  const finder = await Finder.open(options(env));
  try {
    return await finder.search({ text, mode: "regex" }, { sessions });
  } finally {
    finder.close();
  }
}

const sessionsOf = (found: Found): readonly string[] =>
  found.sessions.map(({ facts }) => facts.session);

test("a text is looked for in the newest sessions first, whatever the times of their files say", async () => {
  const env = emptyHome();
  for (const number of [2, 3, 1]) {
    const file = claudeSession(env, number, ["the kumquat topic"]);
    // As after a copy or a restore, which goes through the sessions in an order of its own.
    utimesSync(file, 1_800_000_000, 1_800_000_000 - number);
  }
  const two = await newest(env, "kum(quat)", 2);
  expect(sessionsOf(two)).toEqual([id(3), id(2)]);
  expect([two.totalSessions, two.more]).toEqual([3, true]);
  const all = await newest(env, "kum(quat)", 10);
  expect(sessionsOf(all)).toEqual([id(3), id(2), id(1)]);
  expect([all.totalSessions, all.more]).toEqual([3, false]);
});

test("without an index too", async () => {
  const env = emptyHome();
  for (const number of [1, 2]) {
    utimesSync(claudeSession(env, number, ["the kumquat topic"]), 1_800_000_000, -number);
  }
  mkdirSync(join(env.home, ".reprise"));
  writeFileSync(join(env.home, ".reprise", "derived"), "");
  expect(sessionsOf(await newest(env, "kumquat|.", 1))).toEqual([id(2)]);
});
