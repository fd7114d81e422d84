import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { textsOf } from "../../src/catalog/query/event-lookup.ts";
import { parseQuery } from "../../src/catalog/query/query.ts";
import { wordFinder } from "../../src/catalog/query/snippet.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const folder = temporaryFolder();

async function found(lines: readonly string[], numbers: readonly string[], ending = "\n") {
  const path = join(folder, "session.jsonl");
  writeFileSync(path, lines.join("\n") + ending);
  const ref = { agent: "none", session: "s", path, sizeBytes: 0, modifiedMs: 0 };
  const find = wordFinder(parseQuery("needle"));
  const texts = await textsOf(ref, numbers, { find, agent: async () => undefined });
  return Object.fromEntries([...texts].map(([number, { text }]) => [number, text]));
}

test("lines are found by their numbers, however long they and those before them are", async () => {
  const lines = Array.from({ length: 40 }, (_, number) =>
    JSON.stringify({ text: `${"é".repeat(number * 4_000)} needle ${number + 1}` }),
  );
  for (const ending of ["\n", ""]) {
    const texts = await found(lines, ["40", "1", "3.2", "17", "18", "41"], ending);
    const numbers = Object.entries(texts).map(([number, text]) => [number, text.slice(-2).trim()]);
    expect(Object.fromEntries(numbers)).toEqual({
      1: "1",
      "3.2": "3",
      17: "17",
      18: "18",
      40: "40",
    });
  }
});

test("a line is found by its offset too", async () => {
  const lines = [JSON.stringify({ text: "x".repeat(100_000) }), '{"text":"a needle"}'];
  expect(await found(lines, [`b${lines[0]!.length + 1}`])).toEqual({
    [`b${lines[0]!.length + 1}`]: "a needle",
  });
});

test("what a call carries as JSON within JSON is decoded", async () => {
  const call = { name: "shell", arguments: JSON.stringify({ command: "one\nneedle two" }) };
  expect(await found([JSON.stringify(call)], ["1"])).toEqual({ 1: "one\nneedle two" });
});

test("a line that does not have what was looked for is not believed", async () => {
  expect(await found(['{"text":"hay"}', "torn {"], ["1", "2"])).toEqual({});
});
