import { expect, test } from "vitest";
import { assistant, lines, sessionId, user, written } from "../../agents/claude-code/store.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { commandsIn } from "./in-process.ts";

test("the prompts of a session are listed with their numbers, and where to ask something else", async () => {
  const home = temporaryFolder();
  const talk = [
    user("u1", null, "Paint it:\n\n## The door\n  red"),
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
    { event: "1", text: "Paint it:\n\n## The door\n  red", live: true },
    { event: "4", text: "Now blue", before: "3" },
  ]);
  const shown = (await run("show", sessionId, "--prompts")).text;
  expect(shown).toMatch(/^@1 .* Paint it: The door red\n@4 .* Now blue\n/);
  expect(shown).toContain(
    `To ask something else instead of the last one: \`reprise resume ${ref}@4 --before\`; \`reprise fork ${ref}@4 --before\` only writes the copy that ends before it.`,
  );
  const { command, converted } = JSON.parse(
    (await run("resume", `${ref}@4`, "--before", "--json")).text,
  );
  expect(converted).toMatchObject({ messages: 2 });
  expect(command.argv[0]).toBe("claude");
  // Ours is forked without a copy.
  const own = (await run("import", ref)).text.trim();
  expect((await run("show", own, "--prompts")).text).toContain(`\`reprise fork ${own}@`);
});

test("what was injected before the first prompt is nothing to continue from", async () => {
  const home = temporaryFolder();
  const told = { ...user("u0", null, "<system-reminder>Be kind.</system-reminder>"), isMeta: true };
  written(lines([told, user("u1", "u0", "Paint it"), assistant("a1", "u1", "Painted.")]), home);
  const run = commandsIn(home);
  const { prompts } = JSON.parse((await run("show", sessionId, "--prompts", "--json")).text);
  expect(prompts).toEqual([expect.not.objectContaining({ before: expect.anything() })]);
  const { error } = await run("resume", `${sessionId}@2`, "--before", "--dry-run");
  expect(error).toMatchObject({ code: "usage", message: "Nothing was said before event 2." });
  // A part of the list knows what was before it.
  const more = [user("u2", "a1", "Now blue")];
  written(
    lines([told, user("u1", "u0", "Paint it"), assistant("a1", "u1", "Painted."), ...more]),
    home,
  );
  const part = await run("show", sessionId, "--prompts", "--last", "1", "--json");
  expect(JSON.parse(part.text).prompts).toMatchObject([{ event: "4", before: "3" }]);
});

test("--before ends before the prompt named; without it a copy is said to end with it, unanswered", async () => {
  const home = temporaryFolder();
  const plan = "<command-name>/plan</command-name>\n<command-args>a bridge</command-args>";
  const talk = [
    user("u1", null, "Paint it"),
    assistant("a1", "u1", "Painted."),
    user("u2", "a1", plan),
    assistant("a2", "u2", "Planned."),
  ];
  written(lines(talk), home);
  const run = commandsIn(home);
  expect((await run("show", sessionId, "--prompts")).text).toMatch(/^@3 .* {2}\/plan a bridge$/m);
  const ref = `claude-code:${sessionId}`;
  const instead = `\`reprise fork ${ref}@3 --before\``;
  const dry = await run("fork", `${sessionId}@3`, "--dry-run");
  expect(dry.notes.join("\n")).toContain(
    `The copy would end with the prompt @3, unanswered. To ask something else instead: ${instead}.`,
  );
  const copy = await run("fork", `${sessionId}@3`);
  expect(copy.notes.join("\n")).toContain("The copy ends with the prompt @3, unanswered.");
  const before = await run("fork", `${sessionId}@3`, "--before", "--json");
  expect(JSON.parse(before.text)).toMatchObject({ messages: 2 });
  const resumed = await run("resume", `${sessionId}@3`, "--before", "--in", "codex", "--dry-run");
  expect(resumed.text).toContain("2 messages would be carried over");
  expect(resumed.notes.join("\n")).not.toContain("unanswered");
  const back = await run("rewind", `${sessionId}@3`, "--before");
  expect(back.text).toContain("ends at event 2;");
  expect((await run("fork", sessionId, "--before")).error).toMatchObject({ code: "usage" });
  expect((await run("fork", `${sessionId}@1`, "--before")).error).toMatchObject({ code: "usage" });
});
