import { expect, test } from "vitest";
import { assistant, lines, sessionId, user, written } from "../../agents/claude-code/store.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { commandsIn } from "./in-process.ts";

test("a plan to delete names a session by the beginning of its title", async () => {
  const home = temporaryFolder();
  const pasted = `Look at this: ${"word ".repeat(60)}`;
  written(lines([user("u1", null, pasted), assistant("a1", "u1", "Yes.")]), home);
  const run = commandsIn(home);
  const { text, code } = await run("delete", sessionId);
  expect(code).toBe("needs_yes");
  expect(/“(.*)”/.exec(text)?.[1]).toMatch(/^Look at this: word .*…$/);
  expect(/“(.*)”/.exec(text)![1]!.length).toBeLessThanOrEqual(60);
});
