import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { putClaudeSession } from "./agents-home.ts";
import { machine } from "./program.ts";

test("a newer sentence replaces an older one on the same subject, and says so; recall gives both, the newer first", () => {
  const { run, json } = machine();
  expect(run("remember", "The billing service listens on port 8080.").status).toBe(0);
  const said = run("remember", "The billing service listens on port 9443.");
  expect(said.stdout).toContain("This replaces: ");
  const { conflicts } = json("memory", "conflicts") as { conflicts: readonly object[] };
  expect(conflicts).toMatchObject([{ why: "update", isSettled: true }]);
  const { answers } = json("recall", "which", "port", "does", "billing", "use") as {
    answers: readonly { text: string; newer: readonly object[] }[];
  };
  expect(answers.map(({ text }) => text.slice(-5))).toEqual(["9443.", "8080."]);
  expect(answers[1]?.newer).toHaveLength(1);
});

test("an edit and a summary that scripts save are remembered, and given to nobody unasked", () => {
  const { run, json, cwd } = machine();
  writeFileSync(join(cwd, "a.txt"), "one");
  expect(json("session", "edit", "a.txt", "--memory-key", "parser", "done")).toMatchObject({
    key: "parser",
    note: "done",
  });
  writeFileSync(join(cwd, "a.txt"), "two");
  expect(run("memory", "list").stdout).toContain("stale");
  run("new");
  const ended = json("session", "end", "--summary", "Port moved", "--save-memory");
  expect(ended["memory"]).toEqual(expect.any(String));
  const { entries } = json("memory", "list") as { entries: readonly { provenance: string }[] };
  expect(entries.map(({ provenance }) => provenance)).toEqual(["assistant", "assistant"]);
});

test("one switch says whether agents are given memories", () => {
  const { json } = machine();
  expect(json("memory", "injection")).toMatchObject({ memories: true });
  expect(json("memory", "injection", "off")).toMatchObject({ memories: false });
  expect(json("memory", "injection", "on")).toMatchObject({ memories: true });
});

test("a person is shown a few answers and how to see more; a script gets what fits its tokens", () => {
  const { run, json } = machine();
  for (const day of [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
    "a holiday",
  ])
    run("memory", "store", `rota of ${day}`, `Somebody of the team is on call on ${day}.`);
  const shown = run("recall", "who", "is", "on", "the", "rota").stdout;
  expect(shown.match(/^memory /gm)).toHaveLength(6);
  expect(shown).toContain("\nMore: --limit 8\n");
  expect(run("recall", "--limit", "8", "rota").stdout.match(/^memory /gm)).toHaveLength(8);
  const { answers } = json("recall", "rota") as { answers: readonly object[] };
  expect(answers).toHaveLength(8);
});

test("where a memory answers, two turns of sessions follow, and --limit shows the others", () => {
  const here = machine();
  for (const number of [1, 2, 3, 4])
    putClaudeSession(here, { id: `5a3e1c0f-7b64-4d0e-9c55-00000000000${number}` }, [
      { user: `Plan ${number} of the release rota`, says: `Release rota ${number} is drawn up.` },
    ]);
  expect(here.run("recall", "release", "rota").stdout.match(/^claude-code:/gm)).toHaveLength(6);
  here.run("remember", "The release rota is in the wiki");
  const { stdout } = here.run("recall", "release", "rota");
  expect(stdout).toMatch(/^memory /);
  expect(stdout.match(/^claude-code:/gm)).toHaveLength(2);
  expect(stdout).toMatch(/\nMore: --limit \d+\n/);
  const more = here.run("recall", "--limit", "5", "release", "rota").stdout;
  expect(more.match(/^claude-code:/gm)).toHaveLength(4);
});

test("a memory that is a sentence is printed once, and its absence is told", () => {
  const here = machine();
  putClaudeSession(here, { id: "5a3e1c0f-7b64-4d0e-9c55-000000000001" }, [
    { user: "Cut the release", says: "The release branch is cut." },
  ]);
  const sentence = "Release branches are named release/x.y";
  here.run("remember", sentence);
  const question = ["recall", "how are release branches named?"];
  const { stdout } = here.run(...question);
  expect(stdout.split(sentence)).toHaveLength(2);
  expect(stdout).toMatch(/^memory {2}from user · /);
  here.run("memory", "forget", sentence, "--yes");
  const missed = here.run(...question).stdout;
  expect(missed).toMatch(/^No memory answers this\.\n\nclaude-code:/);
  expect(here.run(...question, "--sessions").stdout).toMatch(/^claude-code:/);
  expect(here.run("recall", "release the quokka into the meadow").stdout).toMatch(
    /^No memory answers this\. What was said in sessions has few of these words\.\n/,
  );
});

test("a person is shown the sentences that answer and how to read on; a script gets the whole text", () => {
  const here = machine();
  const id = "5a3e1c0f-7b64-4d0e-9c55-000000000001";
  const about = (thing: string): string => `Something about ${thing} is said here. `.repeat(8);
  const text = `${about("apples")}\n\nThe port of the billing service is 9443.\n\n${about("pears")}`;
  putClaudeSession(here, { id }, [{ user: "Tell me all about this project", says: text }]);
  const { stdout } = here.run("recall", "port of billing");
  expect(stdout).toContain("The port of the billing service is 9443. Something about pears");
  expect(stdout.length).toBeLessThan(700);
  expect(stdout).toContain(`Read on with: reprise show claude-code:${id}@2`);
  expect(here.run("recall", "port of billing", "--tokens", "2000").stdout).not.toContain("Read on");
  const { answers } = here.json("recall", "port of billing") as {
    answers: readonly { text: string }[];
  };
  expect(answers[0]?.text).toBe(text.trim());
});

test("a session's title is not printed where it is what was said", () => {
  const here = machine();
  const asked = "Which port does the billing service listen on?";
  putClaudeSession(here, { id: "5a3e1c0f-7b64-4d0e-9c55-000000000001" }, [{ user: asked }]);
  expect(here.run("recall", "billing port").stdout.split(asked)).toHaveLength(2);
});
