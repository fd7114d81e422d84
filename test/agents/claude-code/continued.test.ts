import { expect, test } from "vitest";
import { claudeCode } from "../../../src/agents/claude-code/index.ts";
import { readSession } from "../../../src/agents/reading.ts";
import { damageSentence } from "../../../src/model/damage.ts";
import { tallySentences } from "../../../src/programs/cli/render/tally-text.ts";
import { assistant, lines, readAll, user, written } from "./store.ts";

test("a transcript whose first record follows one of another file is continued or cut, not damaged", async () => {
  const ref = written(lines([user("u2", "elsewhere", "go on"), assistant("a2", "u2", "done")]));
  const { damage, events } = await readAll(ref);
  expect(damage).toEqual([]);
  expect(events.map(({ number }) => number)).toContain("1");
  const { tally, events: read } = readSession({ agent: claudeCode, ref });
  for await (const _event of read);
  expect(tallySentences(tally)).toEqual([
    "It continues another session's file, or its beginning was cut off",
  ]);
});

test("a parent that is missing further on is damage as before", async () => {
  const records = [user("u1", null, "first"), assistant("a1", "nowhere", "one")];
  const { damage } = await readAll(written(lines(records)));
  expect(damage).toMatchObject([{ kind: "missing_parent", recovered: 1 }]);
});

test("of so many damaged records no more are recovered than there are", async () => {
  const [one, two] = [user("u1", null, "first"), assistant("a1", "u1", "one")];
  // Two records in one line are one damaged place, however many are read from it.
  const spliced = `${JSON.stringify(one)}${JSON.stringify(two)}\n{"torn\n`;
  const { damage, events } = await readAll(written(spliced));
  expect(events.filter(({ body }) => body.type !== "meta")).toHaveLength(2);
  expect(damageSentence(damage)).toBe("2 damaged records, 1 recovered");
});
