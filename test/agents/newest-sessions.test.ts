import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Agent, SessionRef } from "../../src/agents/contract.ts";
import { locateAll } from "../../src/agents/locate-sessions.ts";
import {
  type FoundSession,
  newestFirst,
  newestSessions,
  updatedMs,
} from "../../src/agents/newest-sessions.ts";
import { loadAgents } from "../../src/agents/registry.ts";
import type { Environment } from "../../src/base/env.ts";
import { openingOf } from "../../src/model/opening.ts";
import { fixtureHome } from "../catalog/home.ts";
import { seeded } from "../random.mjs";
import { damageText } from "./kit/damage.ts";

const agents = await loadAgents();

const seed = 20261116;

function located(env: Environment): readonly { readonly agent: Agent; readonly ref: SessionRef }[] {
  return [...locateAll(agents, env)];
}

function found(env: Environment): FoundSession[] {
  return located(env).flatMap(({ agent, ref }) => {
    const head = agent.head(ref, env);
    return head === undefined || head.relation?.kind === "subagent" ? [] : [{ agent, ref, head }];
  });
}

function differences(env: Environment): readonly unknown[] {
  return located(env).flatMap(({ agent, ref }) => {
    if (agent.opening === undefined) return [];
    const told = agent.opening(ref, env);
    const expected = openingOf(agent.head(ref, env));
    const isSame = JSON.stringify(told) === JSON.stringify(expected);
    return isSame ? [] : [{ path: ref.path, told, expected }];
  });
}

test("the first bytes of every fixture tell the same as its whole head", () => {
  const env = fixtureHome();
  expect(located(env).filter(({ agent }) => agent.opening !== undefined).length).toBeGreaterThan(
    60,
  );
  expect(differences(env)).toEqual([]);
});

test(`damage does not make them tell apart which sessions there are (seed ${seed})`, () => {
  const env = fixtureHome();
  const exist = (of: readonly unknown[]): readonly unknown[] =>
    of.filter((one) => {
      const { told, expected } = one as { readonly told?: object; readonly expected?: object };
      return (told === undefined) !== (expected === undefined);
    });
  const files = located(env).filter(({ ref }) => ref.path.endsWith(".jsonl"));
  for (let round = 0; round < 4; round += 1) {
    for (const [index, { ref }] of files.entries()) {
      const random = seeded(seed, round * 1_000 + index);
      const bytes = readFileSync(ref.path);
      if (bytes.length === 0) continue;
      writeFileSync(ref.path, damageText(bytes, { kind: "lines", random }).bytes);
    }
    expect(exist(differences(env)), `round ${round}`).toEqual([]);
  }
});

test(`the newest are the newest of all, whatever the files' times (seed ${seed})`, () => {
  const env = fixtureHome();
  for (let round = 0; round < 12; round += 1) {
    const random = seeded(seed, round);
    for (const session of found(env)) {
      // Most files are as old as what was last written into them; some were touched or copied since.
      const laterMs = random.below(3) === 0 ? random.below(90 * 86_400_000) : 0;
      const seconds = (updatedMs(session) + laterMs) / 1_000;
      if (session.ref.path.endsWith(".jsonl")) utimesSync(session.ref.path, seconds, seconds);
    }
    const all = found(env).sort(newestFirst);
    for (const count of [1, 7, 30, 1_000]) {
      let heads = 0;
      const headOf = (agent: Agent, ref: SessionRef) => {
        heads += 1;
        return agent.head(ref, env);
      };
      const newest = newestSessions(
        { agents, env },
        {
          count,
          headOf,
          openingOf: (agent, ref) => agent.opening?.(ref, env) ?? openingOf(agent.head(ref, env)),
        },
      );
      expect(newest.sessions.map(({ ref }) => ref.path)).toEqual(
        all.slice(0, count).map(({ ref }) => ref.path),
      );
      expect(newest.total).toBe(all.length);
      expect(newest.ids.toSorted()).toEqual(all.map(({ head }) => head.session).sort());
      if (count === 1) expect(heads).toBeLessThan(all.length);
    }
  }
});
