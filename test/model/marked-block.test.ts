import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withoutInjected } from "../../src/model/injected.ts";
import { blockIn, hasBlock, withBlock, withoutBlock } from "../../src/model/marked-block.ts";

const seed = 20261118;
const begin = '<reprise-context v="1" kind="memories">';
const end = "</reprise-context>";

/** Pages of people: any characters, one kind of line ends, with and without a last one. */
const page = fc
  .tuple(
    fc.array(
      fc.oneof(
        fc.string({ unit: "binary", maxLength: 30 }),
        fc.constantFrom("", "# A", "- b", end),
      ),
      { maxLength: 8 },
    ),
    fc.constantFrom("\n", "\r\n"),
    fc.boolean(),
  )
  .map(([lines, newline, isEnded]) => {
    const plain = lines.map((line) => line.replace(/[\r\n\u2028\u2029]/g, " "));
    return plain.join(newline) + (isEnded && plain.length > 0 ? newline : "");
  })
  .filter((text) => !hasBlock(text));

/** What stands in a block: lines that are none of the marker's. */
const inner = fc
  .array(fc.string({ unit: "binary", maxLength: 20 }), { minLength: 1, maxLength: 5 })
  .map((lines) => lines.map((line) => `- ${line.replace(/[\r\n\u2028\u2029]/g, " ")}`).join("\n"));

describe("a block in a file of others", () => {
  test(`everything outside stays as it is, and taking the block out gives the file back (seed ${seed})`, () => {
    fc.assert(
      fc.property(page, inner, inner, (text, first, second) => {
        const once = withBlock(text, first);
        expect(once.startsWith(text)).toBe(true);
        expect(blockIn(once)).toBe(first);
        expect(withBlock(once, first)).toBe(once);
        expect(withBlock(once, second)).toBe(withBlock(text, second));
        expect(withoutBlock(once)).toBe(text);
      }),
      { seed, numRuns: 2000 },
    );
  });

  test(`what is written around a block later stays as well (seed ${seed})`, () => {
    fc.assert(
      fc.property(page, page, inner, inner, (ahead, behind, first, second) => {
        const text = `${ahead}\n${withBlock("", first)}${behind}`;
        const changed = withBlock(text, second);
        expect(changed.startsWith(`${ahead}\n`)).toBe(true);
        expect(changed.endsWith(behind)).toBe(true);
        expect(blockIn(changed)).toBe(second);
        expect(blockIn(withoutBlock(text))).toBeUndefined();
        expect(withoutBlock(text).endsWith(behind)).toBe(true);
      }),
      { seed, numRuns: 2000 },
    );
  });

  test("a file with CRLF gets a block with CRLF", () => {
    expect(withBlock("a\r\nb\r\n", "- c")).toBe(`a\r\nb\r\n\r\n${begin}\r\n- c\r\n${end}\r\n`);
    expect(withBlock("a\r\nb", "- c")).toBe(`a\r\nb\r\n\r\n${begin}\r\n- c\r\n${end}`);
  });

  test("a block that does not end, or is there twice, is refused and nothing is guessed", () => {
    const one = withBlock("", "- a");
    for (const text of [`${begin}\n- a\n`, `${end}\n${begin}\n- a`, `${one}\n${one}`]) {
      expect(() => withBlock(text, "- b")).toThrow(expect.objectContaining({ code: "bad_input" }));
      expect(() => withoutBlock(text)).toThrow(expect.objectContaining({ code: "bad_input" }));
    }
  });

  test("readers of transcripts know the block for ours", () => {
    expect(withoutInjected(withBlock("# Rules\n\nKeep them.\n", "- known"))).toBe(
      "# Rules\n\nKeep them.",
    );
  });
});
