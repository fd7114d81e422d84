import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { cursor } from "../../../src/agents/cursor/index.ts";
import { agentCases } from "../../../src/testing/agent-cases.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { envOf, refsIn, scenesOf } from "../kit/scenes.ts";

const home = temporaryFolder();
for (const scene of ["ide-modern", "ide-first-versions", "cli-store", "transcripts"]) {
  const from = scenesOf("cursor").find(({ name }) => name.endsWith(`/${scene}`))!.home;
  for (const name of [".config", ".cursor"])
    if (existsSync(join(from, name)))
      cpSync(join(from, name), join(home, name), { recursive: true });
}
const sessions = [...refsIn(cursor, envOf(home)).keys()];

describe("Cursor", () => {
  test.each(agentCases)("$name", async ({ run }) => {
    await run({ agent: cursor, env: envOf(home), folder: home, sessions });
  });
});
