import { expect, test } from "vitest";
import { changesOf, lineDiff } from "../../../../src/programs/cli/render/edit-diff.ts";

const marks = { added: "+", removed: "-", same: " ", place: "@" } as const;

function shown(name: string, input: unknown): readonly string[] {
  return changesOf(name, input).flatMap(({ path, action, lines }) => [
    `${action} ${path}`,
    ...lines.map(({ kind, text }) => `${marks[kind]}${text}`),
  ]);
}

test.each([
  ["Edit", { file_path: "a.ts", old_string: "one\ntwo", new_string: "one\n2" }],
  ["edit", { filePath: "a.ts", oldString: "one\ntwo", newString: "one\n2" }],
  ["edit", { path: "a.ts", edits: [{ oldText: "one\ntwo", newText: "one\n2" }] }],
  ["str_replace", { path: "a.ts", old_str: "one\ntwo", new_str: "one\n2" }],
])("an edit of any agent shows what it changes: %#", (name, input) => {
  expect(shown(name, input)).toEqual(["edit a.ts", " one", "-two", "+2"]);
});

test("several edits of one file are set apart", () => {
  const edits = [
    { old_string: "a", new_string: "b" },
    { old_string: "c", new_string: "d" },
  ];
  expect(shown("MultiEdit", { file_path: "a.ts", edits })).toEqual([
    "edit a.ts",
    "-a",
    "+b",
    "@…",
    "-c",
    "+d",
  ]);
});

test("a written file is all added", () => {
  expect(shown("Write", { file_path: "a.ts", content: "x\ny\n" })).toEqual([
    "write a.ts",
    "+x",
    "+y",
  ]);
});

test("a patch is split by file, also inside a command", () => {
  const patch =
    "*** Begin Patch\n*** Update File: a.js\n@@ fn\n same\n-old\n+new\n*** Delete File: b.js\n*** End Patch\n";
  const expected = ["edit a.js", "@@@ fn", " same", "-old", "+new", "delete b.js"];
  expect(shown("apply_patch", patch)).toEqual(expected);
  expect(shown("shell", { command: ["apply_patch", patch] })).toEqual(expected);
});

test.each([
  ["Bash", { command: "ls" }],
  ["Read", { file_path: "a.ts" }],
  ["Edit", { file_path: 7, old_string: "a", new_string: "b" }],
  ["Edit", "not an object"],
  ["Edit", null],
  ["Note", { path: "a", content: "only read" }],
])("what is no edit has no changes: %#", (name, input) => {
  expect(changesOf(name, input)).toEqual([]);
});

test("texts too large to compare are shown as removed and added", () => {
  const before = "a\n".repeat(100_000);
  const lines = lineDiff(before, `${before}b\n`);
  expect(lines.length).toBe(200_001);
});
