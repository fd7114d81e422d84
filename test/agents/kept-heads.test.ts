import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Agent } from "../../src/agents/contract.ts";
import { keptHeads } from "../../src/agents/kept-heads.ts";
import { locateAll } from "../../src/agents/locate-sessions.ts";
import { loadAgents } from "../../src/agents/registry.ts";
import type { Environment } from "../../src/base/env.ts";
import { SessionManager } from "../../src/index.ts";
import { openingOf } from "../../src/model/opening.ts";
import { claudeLine, claudeSession, id } from "../catalog/claude.ts";
import { emptyHome, fixtureHome } from "../catalog/home.ts";

const agents = await loadAgents();

function fileOf(env: Environment): string {
  return join(env.home, ".reprise", "derived", "agent-heads.json");
}

/** All heads and openings, as a list takes them; `reads` counts what was not kept. */
function listed(
  env: Environment,
  program = "1.0.0",
): { readonly all: readonly unknown[]; readonly reads: number } {
  const heads = keptHeads(fileOf(env), env, program);
  let reads = 0;
  const counting = new Map(
    agents.map((agent): [string, Agent] => {
      const head: Agent["head"] = (ref, at) => {
        reads += 1;
        return agent.head(ref, at);
      };
      return [agent.name, { ...agent, head }];
    }),
  );
  const all = [...locateAll(agents, env)].map(({ agent, ref }) => {
    const counted = counting.get(agent.name)!;
    return [heads.opening(counted, ref), heads.head(counted, ref)];
  });
  heads.save(agents);
  return { all, reads };
}

/** The same without anything kept. */
function fresh(env: Environment): readonly unknown[] {
  return [...locateAll(agents, env)].map(({ agent, ref }) => [
    agent.opening === undefined ? openingOf(agent.head(ref, env)) : agent.opening(ref, env),
    agent.head(ref, env),
  ]);
}

test("heads that were kept are the heads that are read, for the sessions of every agent", () => {
  const env = fixtureHome();
  const first = listed(env);
  expect(first.all).toEqual(fresh(env));
  const second = listed(env);
  expect(second.all).toEqual(first.all);
  expect(first.reads).toBeGreaterThan(20);
  // Rows of a database and sessions that only a hash places are read again.
  expect(second.reads).toBeLessThan(first.reads / 2);
  expect(statSync(fileOf(env)).mode & 0o777).toBe(0o600);
});

test("a session that grew, a title beside it and a folder that is gone are seen at once", () => {
  const env = emptyHome();
  const file = claudeSession(env, 1, ["one"]);
  listed(env);
  appendFileSync(file, `${claudeLine(env, 1, 1, "two")}\n`);
  expect(listed(env).all).toEqual(fresh(env));
  const beside = file.slice(0, -".jsonl".length);
  mkdirSync(beside);
  writeFileSync(join(beside, "custom-title.json"), JSON.stringify({ customTitle: "Called so" }));
  const { all } = listed(env);
  expect(all).toEqual(fresh(env));
  expect(JSON.stringify(all)).toContain("Called so");
  rmSync(env.cwd, { recursive: true });
  expect(listed(env).all).toEqual(fresh(env));
  rmSync(file);
  rmSync(beside, { recursive: true });
  claudeSession(env, 2, ["another"]);
  expect(listed(env).all).toEqual(fresh(env));
  expect(readFileSync(fileOf(env), "utf8")).not.toContain(id(1));
});

test("of sealed sessions nothing is kept", async () => {
  const env = { ...emptyHome() };
  const options = { env: { ...env, variables: { ...env.variables, REPRISE_KEY: "hunter2" } } };
  const session = SessionManager.create(env.cwd, undefined, { ...options, seal: true });
  await session.append({ type: "user", content: "the secret papaya" });
  await session.close();
  const { all } = listed(env);
  expect(all.length).toBe(1);
  const kept = existsSync(fileOf(env)) ? readFileSync(fileOf(env), "utf8") : "";
  expect(kept).not.toContain("sealed");
  expect(kept).not.toContain("cwd");
  expect(listed(env).all).toEqual(fresh(env));
});

test("a file of heads that is damaged, or of another version, is made anew", () => {
  const env = emptyHome();
  claudeSession(env, 1, ["one"]);
  listed(env);
  for (const bytes of ["{", "null", '{"version":"0","entries":[]}', '{"version":"1 1.0.0"}']) {
    writeFileSync(fileOf(env), bytes);
    expect(listed(env).all, bytes).toEqual(fresh(env));
    expect(listed(env).reads, bytes).toBe(0);
  }
});

test("another version of the program reads every head anew", () => {
  const env = emptyHome();
  claudeSession(env, 1, ["one"]);
  expect(listed(env).reads).toBe(1);
  expect(listed(env).reads).toBe(0);
  expect(listed(env, "1.0.1").reads).toBe(1);
});
