import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { qwenCode } from "../../../src/agents/qwen-code/index.ts";
import { agentCases } from "../../../src/testing/agent-cases.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { envOf, refsIn, scenesOf } from "../kit/scenes.ts";

const home = temporaryFolder();
const folder = join(home, ".qwen");

for (const scene of scenesOf("qwen-code"))
  cpSync(join(scene.home, ".qwen"), folder, { recursive: true });
const sessions = [...refsIn(qwenCode, envOf(home)).keys()];

describe("Qwen Code", () => {
  test.each(agentCases)("$name", async ({ run }) => {
    await run({ agent: qwenCode, env: envOf(home), folder: home, sessions });
  });
});
