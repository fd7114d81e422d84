import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { amp } from "../../../src/agents/amp/index.ts";
import { agentCases } from "../../../src/testing/agent-cases.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { envOf, refsIn, scenesOf } from "../kit/scenes.ts";

const home = temporaryFolder();
const folder = join(home, ".local");

for (const scene of scenesOf("amp"))
  cpSync(join(scene.home, ".local"), folder, { recursive: true });
const sessions = [...refsIn(amp, envOf(home)).keys()];

describe("Amp", () => {
  test.each(agentCases)("$name", async ({ run }) => {
    await run({ agent: amp, env: envOf(home), folder: home, sessions });
  });
});
