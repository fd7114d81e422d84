import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { mayHold } from "../../src/catalog/scan/byte-scan.ts";
import { needleIn, needleInPattern } from "../../src/catalog/scan/needle.ts";
import { temporaryFolder } from "../temporary-folder.mjs";
import { find, fixtureHome, places } from "./home.ts";

const seed = 20261115;
const folder = temporaryFolder();
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
      expect(mayHold({ files: [file] }, needle)).toBe(true);
    }),
    { seed, numRuns: 300 },
  );
});

test("a file without it is told apart, and one that says more than its bytes never is", () => {
  writeFileSync(file, `${"abc def ".repeat(50_000)}{"base":{}}`);
  for (const caseSensitive of [true, false]) {
    const needle = needleIn("abcdef", caseSensitive)!;
    expect(mayHold({ files: [file] }, needle)).toBe(false);
    expect(mayHold({ files: [file], unless: { texts: ['"base":{'] } }, needle)).toBe(true);
  }
  expect(mayHold({ files: [join(folder, "missing")] }, needleIn("abc", true)!)).toBe(true);
});

test("what only the first lines tell is not looked for further down", () => {
  const needle = needleIn("abcdef", true)!;
  const unless = { texts: ['"base":{'], lines: 2 };
  const long = `"${"x".repeat(300_000)}"`;
  for (const [text, expected] of [
    ['{}\n{"base":{}}\n{}\n', true],
    ['{}\n{}\n{"base":{}}\n', true],
    [`${long}\n{"base":{}}\n`, true],
    [`${long}\n${long}\n${long}\n{"base":{}}\n`, false],
  ] as const) {
    writeFileSync(file, text);
    // A piece is looked through whole: more than the lines asked for may be in it.
    expect(mayHold({ files: [file], unless }, needle)).toBe(expected);
  }
});

test("letters of either case are found whichever way they are looked for", () => {
  for (const text of ["connection reset", "docker", "Kw9x3", "a-b_c", "jklm", "zZz"]) {
    for (const said of [text, text.toLowerCase(), text.toUpperCase()]) {
      writeFileSync(file, `${"kKdcCvV7eE ".repeat(30_000)}${said}`);
      expect(mayHold({ files: [file] }, needleIn(text, false)!), said).toBe(true);
      expect(mayHold({ files: [file] }, needleIn(text, true)!), said).toBe(said === text);
    }
    writeFileSync(file, `${text.slice(0, -1)} ${text.slice(1)}\n`.repeat(30_000));
    expect(mayHold({ files: [file] }, needleIn(text, false)!), text).toBe(false);
  }
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
