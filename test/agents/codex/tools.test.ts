import { expect, test } from "vitest";
import { tools as claude } from "../../../src/agents/claude-code/tools.ts";
import { tools as codex } from "../../../src/agents/codex/tools.ts";

const patched = (lines: readonly string[]): string =>
  ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");

function inCodex(name: string, input: Record<string, unknown>): unknown {
  const neutral = claude.neutral({ name, input });
  const spoken = neutral && codex.spoken(neutral);
  if (spoken === undefined) return undefined;
  const back = codex.neutral(spoken);
  // There and back gives the same call.
  expect(back && claude.spoken(back)).toEqual({ name, input });
  return spoken.input["input"];
}

const write = (content: string): unknown => inCodex("Write", { file_path: "a.txt", content });
const edit = (old_string: string, new_string: string): unknown =>
  inCodex("Edit", { file_path: "a.txt", old_string, new_string });

test("a file whose last line ends with a newline is a patch of its lines, none added", () => {
  expect(write("one\ntwo\n")).toBe(patched(["*** Add File: a.txt", "+one", "+two"]));
  expect(write("one\n\n")).toBe(patched(["*** Add File: a.txt", "+one", "+"]));
  expect(write("\n")).toBe(patched(["*** Add File: a.txt", "+"]));
});

test("what a patch cannot say exactly stays as it is", () => {
  expect(write("no newline at the end")).toBeUndefined();
  expect(write("")).toBeUndefined();
  expect(edit("one\n", "two\n")).toBeUndefined();
});

test("an edit of whole lines is a patch of these lines", () => {
  expect(edit("one", "two")).toBe(patched(["*** Update File: a.txt", "@@", "-one", "+two"]));
  expect(edit("a\nb", "c\n")).toBe(
    patched(["*** Update File: a.txt", "@@", "-a", "-b", "+c", "+"]),
  );
});

test("a patch that would come back as another one is kept as a patch", () => {
  const kept = [
    patched(["*** Add File: a.txt"]),
    patched(["*** Update File: a.txt", "@@", "-a", "-", "+b"]),
  ];
  for (const input of kept) {
    expect(codex.neutral({ name: "apply_patch", input: { input } })).toBeUndefined();
  }
});
