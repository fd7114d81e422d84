import { spawnSync } from "node:child_process";
import { existsSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Environment } from "../../src/base/env.ts";
import { limits } from "../../src/base/limits.ts";
import { claudeSession, id } from "./claude.ts";
import { emptyHome, find, options, places } from "./home.ts";

const program = join(import.meta.dirname, "../../dist/bin/reprise.js");

test("a session whose reading fails is named once and left out until it changes", async () => {
  const env = emptyHome();
  claudeSession(env, 1, ["the kumquat topic"]);
  const { agent: load } = options(env);
  let tries = 0;
  const agent: typeof load = async (name) => {
    const found = await load(name);
    if (found === undefined || name !== "claude-code") return found;
    return {
      ...found,
      // biome-ignore lint/correctness/useYield: it fails before it gives anything.
      async *read() {
        tries += 1;
        throw new RangeError("Invalid string length");
      },
    };
  };
  const first = await find(env, "kumquat", { agent });
  expect(first.notes.join()).toContain("Invalid string length");
  expect((await find(env, "kumquat", { agent })).notes).toEqual([]);
  expect(tries).toBe(1);
  claudeSession(env, 1, ["the kumquat topic", "went on"]);
  await find(env, "kumquat", { agent });
  expect(tries).toBe(2);
});

describe("a session whose reading ends the process", () => {
  /** Searches in a process of its own, which is killed while it reads the session that changed last. */
  function killedSearch(env: Environment): void {
    const { signal } = spawnSync(process.execPath, [program, "search", "topic"], {
      env: { PATH: process.env["PATH"], HOME: env.home, REPRISE_FAILPOINT: "index.reading" },
      cwd: env.cwd,
    });
    expect(signal).toBe("SIGKILL");
  }

  function twoSessions(): { readonly env: Environment; readonly deadly: string } {
    const env = emptyHome();
    utimesSync(claudeSession(env, 1, ["the kumquat topic"]), 1_700_000_000, 1_700_000_000);
    return { env, deadly: claudeSession(env, 2, ["the rambutan topic"]) };
  }

  const left = (env: Environment): boolean =>
    existsSync(join(env.home, ".reprise", "derived", "catalog.db.reading"));

  test("is tried five times, then named once and left out until it changes", async () => {
    const { env, deadly } = twoSessions();
    for (let round = 0; round < limits.catalogAttempts; round += 1) killedSearch(env);
    const third = await find(env, "topic");
    expect(third.notes).toEqual([
      `${deadly} is left out until it changes: each time it was read, the process that read it ended.`,
    ]);
    expect(places(third)).toEqual([`claude-code:${id(1)}@1`]);
    const fourth = await find(env, "topic");
    expect(fourth.notes).toEqual([]);
    expect(places(fourth)).toEqual([`claude-code:${id(1)}@1`]);
    expect(left(env)).toBe(false);
    claudeSession(env, 2, ["the rambutan topic", "went on"]);
    expect(places(await find(env, "topic"))).toHaveLength(2);
  });

  test("is read where the process ended once alone, and that is forgotten", async () => {
    const { env } = twoSessions();
    killedSearch(env);
    expect(left(env)).toBe(true);
    const second = await find(env, "topic");
    expect(second.notes).toEqual([]);
    expect(places(second)).toHaveLength(2);
    expect(left(env)).toBe(false);
  });

  test("is tried anew when it changed in between", async () => {
    const { env } = twoSessions();
    killedSearch(env);
    claudeSession(env, 2, ["the rambutan topic", "went on"]);
    killedSearch(env);
    expect((await find(env, "topic")).notes).toEqual([]);
  });
});
