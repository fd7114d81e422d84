import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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
  expect(shown).toContain("2 more answers; --limit 8 shows all.");
  expect(run("recall", "--limit", "8", "rota").stdout.match(/^memory /gm)).toHaveLength(8);
  const { answers } = json("recall", "rota") as { answers: readonly object[] };
  expect(answers).toHaveLength(8);
});
