import { cpSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, test } from "vitest";
import { copilotCli } from "../../../src/agents/copilot-cli/index.ts";
import { agentCases } from "../../../src/testing/agent-cases.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { fixture, scenarios } from "./sessions.ts";

const home = temporaryFolder();

const sessions = scenarios.map((scenario) => {
  const folder = dirname(fixture(scenario));
  const session = basename(folder);
  cpSync(folder, join(home, ".copilot", "session-state", session), { recursive: true });
  return session;
});

describe(basename(home), () => {
  test.each(agentCases)("$name", async ({ run }) => {
    const env = { variables: {}, platform: "linux", home, cwd: home } as const;
    await run({ agent: copilotCli, env, folder: home, sessions });
  });
});
