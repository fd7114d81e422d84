import { describe, test } from "vitest";
import { opencode } from "../../../src/agents/opencode/index.ts";
import { agentCases } from "../../../src/testing/agent-cases.ts";
import { copyOf, environment, json, scenarios } from "./fixtures.ts";

const counts = json<Record<string, object>>("counts.json");

describe.each(scenarios)("%s", (scenario) => {
  test.each(agentCases)("$name", async ({ run }) => {
    const folder = copyOf(scenario);
    const sessions = Object.keys(counts[scenario]!);
    await run({ agent: opencode, env: environment(folder), folder, sessions });
  });
});
