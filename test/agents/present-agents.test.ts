import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadAgents, loadAgentsIn } from "../../src/agents/registry.ts";
import type { Environment } from "../../src/base/env.ts";
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
