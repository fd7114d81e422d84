import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, test } from "vitest";
import { pi } from "../../../src/agents/pi/index.ts";
import { agentCases } from "../../../src/testing/agent-cases.ts";
import { fixture, scenarios } from "./sessions.ts";

const home = mkdtempSync(join(tmpdir(), "reprise-pi-conformance-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

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
