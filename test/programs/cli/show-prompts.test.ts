import { expect, test } from "vitest";
import { assistant, lines, sessionId, user, written } from "../../agents/claude-code/store.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { commandsIn } from "./in-process.ts";

test("the prompts of a session are listed with their numbers, and where to ask something else", async () => {
  const home = temporaryFolder();
  const talk = [
    user("u1", null, "Paint it\nred"),
    assistant("a1", "u1", "Painted."),
    user("u2", "a1", "<local-command-stdout>ok</local-command-stdout>"),
    user("u3", "u2", "Now blue"),
  ];
  written(lines(talk), home);
  const run = commandsIn(home);
  const { text } = await run("show", sessionId, "--prompts", "--json");
  const { ref, prompts } = JSON.parse(text);
  expect(ref).toBe(`claude-code:${sessionId}`);
  expect(prompts).toMatchObject([
    { event: "1", text: "Paint it" },
    { event: "4", text: "Now blue", before: "3" },
  ]);
  const shown = (await run("show", sessionId, "--prompts")).text;
  expect(shown).toMatch(/^@1 .* Paint it\n@4 .* Now blue\n/);
  expect(shown).toContain(`to ask something else instead, ${ref}@3.`);
  expect(shown).not.toContain("red");
  expect((await run("fork", `${ref}@3`)).error).toBeUndefined();
});
