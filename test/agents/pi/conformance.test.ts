import { copyFileSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, test } from "vitest";
import { pi } from "../../../src/agents/pi/index.ts";
import { agentCases } from "../../../src/testing/agent-cases.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { fixture, scenarios } from "./sessions.ts";

const home = temporaryFolder();

/** Each fixture in a project folder of its own, named so that its id is the scenario's. */
const sessions = scenarios.map((scenario) => {
  const session = scenario.replaceAll(/[^\w-]/g, "_");
  const folder = join(home, ".pi", "agent", "sessions", `--home-dev-${session}--`);
  mkdirSync(folder, { recursive: true });
  copyFileSync(fixture(scenario), join(folder, `${session}.jsonl`));
  return session;
});

describe(basename(home), () => {
  test.each(agentCases)("$name", async ({ run }) => {
    const env = { variables: {}, platform: "linux", home, cwd: home } as const;
    await run({ agent: pi, env, folder: home, sessions });
  });
});
