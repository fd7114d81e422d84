import { appendFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { record } from "../../src/log/journal.ts";
import { journalEntries } from "../../src/log/read-journal.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

/* Who asks the journal for some kinds gets what reading all of it gives of them. */

function journal(): string {
  const path = join(temporaryFolder(), "journal.jsonl");
  for (let number = 0; number < 40; number += 1) {
    const kind = ["mark", "checkpoint", "convert"][number % 3]!;
    // A text that looks like another kind does not make it one.
    record(path, kind, { number, says: `"name":"mark" ${number}` }, { sync: false });
  }
  return path;
}

function both(path: string, kinds: readonly string[]): readonly [unknown, unknown] {
  const all = [...journalEntries(path)].filter(({ kind }) => kinds.includes(kind));
  return [[...journalEntries(path, kinds)], all];
}

test.each([[["mark"]], [["convert", "mark"]], [["never"]]])("the entries of %j", (kinds) => {
  const [some, all] = both(journal(), kinds);
  expect(some).toEqual(all);
});

test("damaged, torn and repeated lines of a journal hide none and add none", () => {
  const path = journal();
  const lines = readFileSync(path, "utf8").split("\n");
  lines[4] = lines[4]!.slice(0, 30);
  lines[9] = `${lines[9]}${lines[10]}`;
  lines[20] = `\u0000\u0000${lines[20]}`;
  // Whole lines of a writer that was replaced.
  lines.splice(30, 0, lines[27]!, lines[28]!);
  writeFileSync(path, lines.join("\n"));
  appendFileSync(path, lines[3]!);
  truncateSync(path, readFileSync(path).length - 7);
  for (const kinds of [["mark"], ["checkpoint"], ["convert", "checkpoint"]]) {
    const [some, all] = both(path, kinds);
    expect(some).toEqual(all);
  }
});
