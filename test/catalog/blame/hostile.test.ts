import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadAgents } from "../../../src/agents/registry.ts";
import { splicesOf } from "../../../src/catalog/blame/apply-change.ts";
import { callActs, dialectsOf } from "../../../src/catalog/blame/call-acts.ts";
import { matchLines } from "../../../src/catalog/blame/match-lines.ts";
import { pathMapper, targetAt } from "../../../src/catalog/blame/places.ts";
import { Workshop } from "./workshop.ts";

const agents = await loadAgents();

const runs = { seed: 20_261_115, numRuns: 400 };

describe("hostile sessions", () => {
  test("calls of any shape are read without failing", () => {
    const key = fc.constantFrom(
      "file_path",
      "path",
      "edits",
      "old_string",
      "new_string",
      "content",
      "input",
      "command",
      "__proto__",
    );
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom("*** Begin Patch\n*** Update File: a\n@@\n"),
    );
    const input = fc.oneof(
      fc.dictionary(key, fc.oneof(text, fc.jsonValue())),
      fc.jsonValue(),
      text,
    );
    const name = fc.constantFrom("Edit", "MultiEdit", "edit", "apply_patch", "write", "x");
    fc.assert(
      fc.property(name, input, (called, given) => {
        for (const act of callActs({ name: called, input: given }, dialectsOf(agents))) {
          for (const change of act.changes) splicesOf(["a", "b", ""], change);
        }
      }),
      runs,
    );
  });

  test("paths of any shape lead nowhere, or to a name in the project", () => {
    const shop = new Workshop();
    shop.put("src/a.txt", "x\n");
    const map = pathMapper(targetAt(shop.path("src/a.txt")));
    const path = fc.oneof(
      fc.string(),
      fc.constantFrom("a\0b", `/${"x/".repeat(5000)}`, "../../../../etc/passwd", "", "/", "~/a"),
    );
    fc.assert(
      fc.property(path, fc.option(path, { nil: undefined }), (named, cwd) => {
        expect(typeof map(named, cwd)).toMatch(/object|undefined/);
      }),
      runs,
    );
  });

  test("a replacement of characters gives what replacing them in the text gives", () => {
    const letters = fc.array(fc.constantFrom("a", "b", "\n"), { maxLength: 24 });
    const texts = fc.tuple(letters, letters, letters).map((all) => all.map((one) => one.join("")));
    fc.assert(
      fc.property(texts, ([given = "", before = "", after = ""]) => {
        const lines = given.split("\n");
        const text = `${lines.join("\n")}\n`;
        if (before === "" || !text.includes(before)) return;
        const change = { kind: "replace", before, after, all: true } as const;
        const made: string[] = [];
        let at = 0;
        for (const splice of splicesOf(lines, change) ?? []) {
          expect(splice.from).toBeGreaterThanOrEqual(at);
          made.push(...lines.slice(at, splice.from), ...splice.lines);
          at = splice.to;
        }
        made.push(...lines.slice(at));
        const expected = text.replaceAll(before, after);
        const whole = expected === "" ? [] : expected.replace(/\n$/, "").split("\n");
        expect(made).toEqual(whole);
      }),
      { ...runs, numRuns: 5_000 },
    );
  });

  test("matched lines are equal and keep their order", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c", "d", "e", "f"), { maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (first, second) => {
        let last = -1;
        for (const [at, found] of matchLines(first, second).entries()) {
          if (found < 0) continue;
          expect(first[found]).toBe(second[at]);
          expect(found).toBeGreaterThan(last);
          last = found;
        }
      }),
      { ...runs, numRuns: 5_000 },
    );
  });
});
