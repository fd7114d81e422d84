import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { continuousClaude } from "../../../src/agents/continuous-claude/index.ts";
import { optionsIn, outgoing, project } from "../kit/keeper-writes.ts";

test("in a project of the second version Continuous-Claude gets a ledger", async () => {
  const env = project();
  mkdirSync(join(env.cwd, "thoughts", "ledgers"), { recursive: true });
  const { ref } = await (await continuousClaude.notesWriter!()).write(outgoing, optionsIn(env));
  const page = readFileSync(ref.path, "utf8");
  expect(ref.path).toMatch(/thoughts\/ledgers\/CONTINUITY_CLAUDE-port-change-\w+\.md$/);
  expect(page).toMatch(/^## Goal\nMove the API to port "9090"$/m);
  expect(page).toMatch(/^- Now: \[→\] Update the README$/m);
});
