import { describe, test } from "vitest";
import { geminiCli } from "../../../src/agents/gemini-cli/index.ts";
import { agentCases } from "../../../src/testing/agent-cases.ts";
import { homeOf } from "./fixtures.ts";

const scenes: Readonly<Record<string, readonly string[]>> = {
  "0.15.4/tools": ["3fb3f32e"],
  "0.40.1/tools": ["f0ce0a6c"],
  "0.61.0/tools": ["9402b6c2"],
  "0.61.0/hooks": ["dac47a5c"],
  "0.61.0/compressed": ["5957fa88", "acme-api-g.checkpoint-before-restore"],
  "0.61.0/subagent": ["33eb134f-b064-4f7b-8052-daaff06d1702", "b53673af"],
};

describe.each(Object.entries(scenes))("%s", (scenario, sessions) => {
  test.each(agentCases)("$name", async ({ run }) => {
    const env = homeOf(scenario);
    await run({ agent: geminiCli, env, folder: env.home, sessions });
  });
});
