import { cpSync, mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { claudeSession, id } from "./claude.ts";
import { emptyHome, find, places } from "./home.ts";

test("a session that lay in two folders is found after both moved to another home of the agent", async () => {
  const env = emptyHome();
  const file = claudeSession(env, 1, ["the lychee ripens"]);
  const twin = join(dirname(dirname(file)), "-other", `${id(1)}.jsonl`);
  mkdirSync(dirname(twin));
  cpSync(file, twin);
  expect(places(await find(env, "lychee"))).toEqual([`claude-code:${id(1)}@1`]);
  const moved = join(env.home, ".claude-new");
  renameSync(join(env.home, ".claude"), moved);
  const there = { ...env, variables: { ...env.variables, CLAUDE_CONFIG_DIR: moved } };
  const found = await find(there, "lychee");
  expect(places(found)).toEqual([`claude-code:${id(1)}@1`]);
  expect(found.sessions.map(({ gone }) => gone)).toEqual([false]);
});

test("of two places of a session that vanish one goes on at its new place, the other is gone", async () => {
  const env = emptyHome();
  const file = claudeSession(env, 1, ["the lychee ripens"]);
  claudeSession(env, 1, ["the lychee ripens"], "-twin");
  await find(env, "lychee");
  const folder = dirname(file);
  renameSync(folder, join(dirname(folder), "-elsewhere"));
  renameSync(join(dirname(folder), "-twin"), join(env.home, "kept"));
  for (const _ of ["the first search", "the next"]) {
    const found = await find(env, "lychee");
    expect(found.sessions.map(({ gone, ref }) => [gone, ref.path])).toEqual([
      [false, join(dirname(folder), "-elsewhere", `${id(1)}.jsonl`)],
    ]);
  }
});
