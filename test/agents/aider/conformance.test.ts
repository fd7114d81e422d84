import { dirname } from "node:path";
import { describe, test } from "vitest";
import { aider } from "../../../src/agents/aider/index.ts";
import { runsOf } from "../../../src/agents/aider/runs.ts";
import { agentCases } from "../../../src/testing/agent-cases.ts";
import { environment, handwritten, realHistory } from "./histories.ts";

describe.each([realHistory, handwritten])("%s", (path) => {
  test.each(agentCases)("$name", async ({ run }) => {
    const folder = dirname(path);
    const sessions = runsOf(path).map((one) => one.session);
    await run({ agent: aider, env: environment(folder), folder, sessions });
  });
});
