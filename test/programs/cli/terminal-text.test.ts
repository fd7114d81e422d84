import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonLine, safeLine, safeText } from "../../../src/programs/cli/terminal/terminal-text.ts";

test("escape sequences that act on a terminal are made visible", () => {
  expect(safeText("\u001b]0;owned\u0007")).toBe("␛]0;owned␇");
  expect(safeText("\u001b[2J\u001b[H")).toBe("␛[2J␛[H");
  expect(safeText("\u009b2J")).toBe("\ufffd2J");
  expect(safeText("a\rb\b")).toBe("a␍b␈");
});

test("colours of a tool's output are dropped without a trace", () => {
  expect(safeText("\u001b[1;32mok\u001b[0m")).toBe("ok");
});

test("characters that turn the direction of text are named", () => {
  expect(safeText("invoice\u202egpj.exe")).toBe("invoice<U+202E>gpj.exe");
});

test("line ends and tabs stay in a text and become blanks in a line", () => {
  expect(safeText("a\r\nb\tc\n")).toBe("a\nb\tc\n");
  expect(safeLine("a\n\nb\tc\u2028d")).toBe("a b c d");
});

test("no text leaves a control character behind", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(safeText(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    }),
    { seed: 20261115, numRuns: 500 },
  );
});

test("JSON is one line without control characters and reads back as the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
      const line = jsonLine(value);
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202e]/);
    }),
    { seed: 20261115, numRuns: 500 },
  );
});
