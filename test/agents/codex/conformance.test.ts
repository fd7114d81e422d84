import { join } from "node:path";
import { describe, test } from "vitest";
import { codex } from "../../../src/agents/codex/index.ts";
import { agentCases } from "../../../src/testing/agent-cases.ts";
import { fixtures, homeAt, refsIn } from "./store.ts";

const scenarios = [
  "0.166.0/tools",
  "0.166.0/compacted-auto",
  "0.166.0/forked",
  "0.166.0/forked-compressed",
  "0.166.0/subagent",
  "0.105.0/compacted",
];

describe.each(scenarios)("%s", (scenario) => {
  test.each(agentCases)("$name", async ({ run }) => {
    const folder = join(fixtures, scenario);
    await run({ agent: codex, env: homeAt(folder), folder, sessions: [...refsIn(folder).keys()] });
  });
});
