import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { mayHold, needleIn, needleInPattern } from "../../src/catalog/byte-scan.ts";
import { find, fixtureHome, places } from "./home.ts";

const seed = 20261115;
const folder = mkdtempSync(join(tmpdir(), "reprise-scan-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "text");

const inside = fc.string({ minLength: 1, maxLength: 40 });
const filler = fc.integer({ min: 0, max: 200_000 });

test(`a text that JSON encodes is never overlooked, wherever it lies (seed ${seed})`, () => {
  fc.assert(
    fc.property(inside, filler, fc.boolean(), (text, before, caseSensitive) => {
      const needle = needleIn(text, caseSensitive);
      if (needle === undefined) return;
      const said = caseSensitive ? text : text.toUpperCase().toLowerCase();
      writeFileSync(file, `${"x".repeat(before)}${JSON.stringify(`so ${said} it is`)}`);
      expect(mayHold({ files: [file], unless: [] }, needle)).toBe(true);
    }),
    { seed, numRuns: 300 },
  );
});

test("a file without it is told apart, and one that says more than its bytes never is", () => {
  writeFileSync(file, `${"abc def ".repeat(50_000)}{"base":{}}`);
  for (const caseSensitive of [true, false]) {
    const needle = needleIn("abcdef", caseSensitive)!;
    expect(mayHold({ files: [file], unless: [] }, needle)).toBe(false);
    expect(mayHold({ files: [file], unless: ['"base":{'] }, needle)).toBe(true);
  }
  expect(mayHold({ files: [join(folder, "missing")], unless: [] }, needleIn("abc", true)!)).toBe(
    true,
  );
});

test("only what every match of a pattern has is taken from it", () => {
  expect(needleInPattern("connection reset", false)?.text).toBe("connection reset");
  expect(needleInPattern("colou?rful things*", false)?.text).toBe("rful thing");
  expect(needleInPattern("ab+cde.f", false)?.text).toBe("cde");
  expect(needleInPattern("red|blue", false)).toBeUndefined();
  expect(needleInPattern("[abc]def", false)).toBeUndefined();
});

test("looking at bytes first gives the same answers as reading everything, over every fixture", async () => {
  const env = fixtureHome();
  for (const text of ["package.json", "row 1 ", "日本"]) {
    const quick = places(await find(env, { text, mode: "substring" }));
    // A pattern from which nothing can be taken reads everything.
    const pattern = `(?:${text.replace(/[.\\]/g, "\\$&")})`;
    expect(quick, text).toEqual(places(await find(env, { text: pattern, mode: "regex" })));
  }
});
