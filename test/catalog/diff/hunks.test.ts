import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionAct } from "../../../src/catalog/blame/session-acts.ts";
import { attributeLines } from "../../../src/catalog/diff/attribute-lines.ts";
import { exactLines } from "../../../src/catalog/diff/exact-lines.ts";
import { hunksBetween } from "../../../src/catalog/diff/hunks.ts";

const line = fc.constantFrom("a", "b", "c", "{", "}", "", "x\r");
const text = fc.array(line as fc.Arbitrary<string>, { maxLength: 30 });

describe("hunks", () => {
  test("applied to the text before give the text after, and tell the places as unified diffs do", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const result = [...before];
        for (const { from, to, lines } of [...hunksBetween(before, after)].reverse()) {
          const start = from[1] === 0 ? from[0] : from[0] - 1;
          const old = lines.filter(({ kind }) => kind !== "added").map((one) => one.text);
          const young = lines.filter(({ kind }) => kind !== "removed").map((one) => one.text);
          expect(result.slice(start, start + from[1])).toEqual(old);
          expect(young).toHaveLength(to[1]);
          result.splice(start, from[1], ...young);
        }
        expect(result).toEqual(after);
      }),
    );
  });

  test("a text without an end at its end is told apart from one with it", () => {
    expect(hunksBetween(exactLines("a\nb"), exactLines("a\nb\n"))).toHaveLength(1);
    expect(exactLines("a\nb")).toEqual(["a", "b\n\\ No newline at end of file"]);
  });
});

function replacing(before: string, after: string, more: Partial<SessionAct> = {}): SessionAct {
  return {
    path: "x",
    action: "modified",
    event: "1",
    outcome: "done",
    changes: [{ kind: "replace", before, after, all: false }],
    ...more,
  };
}

describe("lines of a file between two states", () => {
  test("belong to the edit that made them, or to somebody else", () => {
    const before = ["one", "two", "three", "four"];
    const acts = [replacing("two", "TWO"), replacing("three\n", "")];
    const { added, removed } = attributeLines(before, ["one", "TWO", "four", "by hand"], acts);
    expect(added).toEqual([undefined, 0, undefined, "other"]);
    expect(removed).toEqual([undefined, 0, 1, undefined]);
  });

  test("that an edit found changed were changed by somebody else before it", () => {
    const seen = "one\nTWO by hand\nthree\n";
    const act = replacing("three", "THREE", { textBefore: seen });
    const { added } = attributeLines(
      ["one", "two", "three"],
      ["one", "TWO by hand", "THREE"],
      [act],
    );
    expect(added).toEqual([undefined, "other", 0]);
  });

  test("of an edit that failed are nobody's", () => {
    const act = replacing("two", "TWO", { outcome: "failed" });
    expect(attributeLines(["two"], ["TWO"], [act]).added).toEqual(["other"]);
  });
});
