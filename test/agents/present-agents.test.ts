import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findNewestOf, type SessionFilter } from "../../src/agents/find-sessions.ts";
import { loadAgents, loadAgentsIn } from "../../src/agents/registry.ts";
import type { Environment } from "../../src/base/env.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

function envIn(home: string): Environment {
  const cwd = join(home, "project");
  mkdirSync(cwd, { recursive: true });
  return { variables: {}, platform: "linux", home, cwd };
}

test("a list in a home without an agent's store does not load the agent", async () => {
  const names = (await loadAgentsIn(envIn(temporaryFolder()))).map(({ name }) => name);
  expect(names).toContain("claude-code");
  expect(names).not.toContain("codex");
  expect(names).not.toContain("opencode");
});

test("an agent is loaded for a list as soon as one of its folders is there", async () => {
  for (const agent of await loadAgents()) {
    for (const index of agent.roots(envIn(temporaryFolder())).keys()) {
      const env = envIn(temporaryFolder());
      mkdirSync(agent.roots(env)[index]!, { recursive: true });
      const names = (await loadAgentsIn(env)).map(({ name }) => name);
      expect(names, `${agent.name}, folder ${index + 1}`).toContain(agent.name);
    }
  }
});

test("a list loads no agent that keeps its store in projects where none of them has one", async () => {
  const names = (await loadAgentsIn(envIn(temporaryFolder()))).map(({ name }) => name);
  for (const name of [
    "crewai",
    "langgraph",
    "continuous-claude",
    "claude-sessions",
    "aios",
    "synapse",
  ])
    expect(names).not.toContain(name);
});

test("what lies in another project is listed once a session tells of the project", async () => {
  const home = temporaryFolder();
  const env = envIn(home);
  const other = join(home, "other");
  mkdirSync(join(other, ".claude", "sessions"), { recursive: true });
  writeFileSync(
    join(other, ".claude", "sessions", "2026-01-05-1015-port.md"),
    "# Session - 2026-01-05 10:15 - port\n\n## Goals\n\nChange the port.\n",
  );
  const named = async (filter: SessionFilter) => {
    const search = { env, agents: await loadAgentsIn(env) };
    const { sessions } = await findNewestOf(search, filter, 10);
    return sessions.map(({ head }) => `${head.agent} ${head.kind ?? "conversation"}`);
  };
  expect(await named({})).toEqual([]);
  const session = SessionManager.create(other, undefined, { env });
  await session.append({ type: "user", content: "hello" });
  await session.close();
  const expected = ["claude-sessions notes", "reprise conversation"];
  expect((await named({})).sort()).toEqual(expected);
  expect((await named({ sinceMs: 0 })).sort()).toEqual(expected);
  expect(await named({ agent: "claude-sessions" })).toEqual(["claude-sessions notes"]);
});
