import { join } from "node:path";
import { describe, test } from "vitest";
import { claudeCode } from "../../../src/agents/claude-code/index.ts";
import { agentCases } from "../../../src/testing/agent-cases.ts";
import { fixtures, homeAt, sessionsIn } from "./store.ts";

const scenarios = [
  "2.0.30/old-2.0.30",
  "2.1.325/compacted-print",
  "2.1.325/forked-flag",
  "2.1.325/parallel-tools",
  "2.1.325/subagent",
  "2.1.325/torn-tail",
  "2.1.325/tui-rewind-interrupt",
  "2.1.325/unicode-long",
];

describe.each(scenarios)("%s", (scenario) => {
  test.each(agentCases)("$name", async ({ run }) => {
    const folder = join(fixtures, scenario);
    const sessions = [...sessionsIn(folder).keys()];
    await run({ agent: claudeCode, env: homeAt(folder), folder, sessions });
  });
});
