import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonBytes, jsonTextOf } from "../../src/json/json-bytes.ts";
import { holdText, JsonText, renamed, textAt } from "../../src/json/json-text.ts";

const seed = 20_261_116;

/** Texts whose ends and insides are hard: blanks of every kind, escapes, letters of every length. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        " ",
        "\n",
        "\t",
        "\r",
        "\f",
        "\u000b",
        "\u00a0",
        "\ufeff",
        "\u2028",
        "\u3000",
      ),
      fc.constantFrom('"', "\\", "\\n", "\\u000b", "\b", "\u0000", "\u001f", "/", "\u007f"),
      fc.constantFrom("word", "n", "é", "日本", "\u{1f600}", "à", "reprise-context", "\ud800"),
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(""));

/** The text as a reader finds it: bytes alone, the string unknown. */
function asRead(said: string): JsonText {
  return new JsonText(jsonTextOf(said).bytes);
}

test("a text as JSON is the text, its beginnings, and its middle without blanks", () => {
  fc.assert(
    fc.property(text, fc.nat(30), (said, chars) => {
      const json = asRead(said);
      expect(json.bytes).toBe(
        Buffer.from(JSON.stringify(said).slice(1, -1), "utf8").toString("latin1"),
      );
      // Half of a pair is cut off as a whole one or not at all.
      const start = asRead(said).start(chars);
      expect([said.slice(0, chars), said.slice(0, chars + 1)]).toContain(start);
      expect(asRead(said).trimmed()?.text ?? said.trim()).toBe(said.trim());
      if (said.includes("reprise-context")) expect(json.mayHold("reprise-context")).toBe(true);
      expect(asRead(said).text).toBe(said);
      expect(JSON.stringify({ json })).toBe(JSON.stringify({ json: said }));
      expect(`${json}`).toBe(said);
    }),
    { seed, numRuns: 3_000 },
  );
});

test("blanks at the ends are taken off without reading the text, whatever stands before them", () => {
  expect(asRead("  said\n").trimmed()?.bytes).toBe("said");
  expect(asRead('\r\n\t"said"\\\n\f').trimmed()?.bytes).toBe('\\"said\\"\\\\');
  expect(asRead("\\n").trimmed()?.bytes).toBe("\\\\n");
  expect(asRead("日本語\n").trimmed()?.text).toBe("日本語");
  expect(asRead("said\u00a0").trimmed()).toBeUndefined();
});

test("an object holds a text as JSON that everybody else takes for a string", () => {
  const object: Record<string, unknown> = { type: "text" };
  const json = asRead('He said "é"\n');
  holdText(object, "text", json);
  holdText(object, "__proto__", asRead("own"));
  expect(textAt(object, "text")).toBe(json);
  expect(textAt(object, "type")).toBe("text");
  expect(textAt(object, "nothing")).toBeUndefined();
  expect(object["text"]).toBe('He said "é"\n');
  expect({ ...object, type: 1 }).toEqual({ ...object, text: 'He said "é"\n', type: 1 });
  expect(textAt({ ...object }, "text")).toBe('He said "é"\n');
  expect(structuredClone(object)).toMatchObject({ type: "text", text: 'He said "é"\n' });
  expect(Object.entries(object)).toContainEqual(["__proto__", "own"]);
  const bytes = new JsonBytes({ loneSurrogates: "escaped", mostBytes: 1e6 });
  bytes.value([object, json]);
  expect(bytes.buffer.toString("utf8", 0, bytes.length)).toBe(JSON.stringify([object, json]));
});

test("properties get other names, and what is still JSON stays JSON", () => {
  const input = JSON.parse('{"command":"ls","__proto__":1,"left":2}') as Record<string, unknown>;
  const json = asRead("x".repeat(50));
  holdText(input, "long", json);
  const names = new Map([
    ["command", "cmd"],
    ["long", "text"],
  ]);
  const given = renamed(input, (key) => (key === "left" ? undefined : (names.get(key) ?? key)));
  expect(JSON.stringify(given)).toContain('"__proto__":1');
  expect(given).toMatchObject({ cmd: "ls", text: "x".repeat(50) });
  expect(Object.keys(given)).not.toContain("left");
  expect(textAt(given, "text")).toBe(json);
});
