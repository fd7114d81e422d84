import { expect, test } from "vitest";
import { actionIn } from "../../../src/programs/cli/run/actions.ts";
import { commandNamed } from "../../../src/programs/cli/run/commands.ts";
import { commandsMeant, otherWords } from "../../../src/programs/cli/run/other-words.ts";

test.each(otherWords)("other words for `$meant` lead to something that is there", async (row) => {
  const [name = "", ...rest] = row.meant.split(" ");
  const command = await commandNamed(name)?.load();
  expect(command, row.meant).toBeDefined();
  const action = rest.find((word) => /^[a-z]+$/.test(word));
  if (action !== undefined) expect(actionIn(command!, [action]), row.meant).toBeDefined();
  const flag = rest.find((word) => word.startsWith("--"));
  if (flag !== undefined)
    expect(command!.flags.some(({ flags }) => flags.includes(flag))).toBe(true);
});

test("an other word names one thing, and is not itself a command", () => {
  const words = otherWords.flatMap((row) => row.words);
  expect(new Set(words).size).toBe(words.length);
  expect(words.filter((word) => commandNamed(word) !== undefined)).toEqual([]);
});

test.each([
  ["cost", ["stats"]],
  ["Save", ["checkpoint"]],
  ["ask", ["recall"]],
  ["forget", ["memory forget"]],
  ["migrate", ["resume --in <agent>"]],
  ["sync", ["backup <folder>"]],
  ["serch", ["search"]],
  ["databases", ["sources", "store"]],
  ["login", []],
] as const)("%s leads to %j", (typed, meant) => {
  expect(commandsMeant(typed)).toEqual(meant);
});
