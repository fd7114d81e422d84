import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { blobNameOf } from "../../src/blobs/name.ts";
import { blobNamesIn } from "../../src/blobs/names-in.ts";
import { restoreStrings, spillLargeStrings } from "../../src/blobs/spill.ts";
import type { BlobRef } from "../../src/model/block.ts";

const seed = 20261115;
const large = "x".repeat(limits.inlineStringBytes + 1);

function shelf() {
  const texts = new Map<string, string>();
  return {
    texts,
    put(text: string): BlobRef {
      const bytes = Buffer.from(text);
      const blob = blobNameOf(bytes);
      texts.set(blob, text);
      return { blob, size: bytes.length };
    },
    get(ref: BlobRef): string {
      const text = texts.get(ref.blob);
      if (text === undefined) throw new Error("asked for a string that was never moved out");
      return text;
    },
  };
}

const lookAlike = { blob: "ab".repeat(32), size: 3 };

/** JSON values with large strings, references and escapes sown in. */
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom(large, `${large}\u{1f600}`, "é".repeat(limits.inlineStringBytes / 2 + 1)),
    fc.constant(lookAlike),
    fc.record({ $literal: tie("value") }),
    fc.record({ blob: tie("value"), size: tie("value") }),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "blob", "$literal", "__proto__"), tie("value"), {
      maxKeys: 3,
    }),
  ),
})).value;

test(`any body comes back from its line as it was (seed ${seed})`, () => {
  fc.assert(
    fc.property(values, (value) => {
      const { put, get } = shelf();
      const original = JSON.stringify({ value });
      const line = JSON.stringify(spillLargeStrings(JSON.parse(original), put));
      expect(line.includes(large)).toBe(false);
      expect(JSON.stringify(restoreStrings(JSON.parse(line), get))).toBe(original);
    }),
    { seed, numRuns: 500 },
  );
});

test("a value without large strings is the same object, not a copy", () => {
  const value = { type: "user", content: [{ type: "text", text: "hello" }] };
  expect(spillLargeStrings(value, shelf().put)).toBe(value);
  expect(restoreStrings(value, shelf().get)).toBe(value);
});

test("exactly the limit stays, one byte more leaves, counted in UTF-8", () => {
  const { put, texts } = shelf();
  const fits = "é".repeat(limits.inlineStringBytes / 2);
  expect(spillLargeStrings({ fits }, put)).toEqual({ fits });
  expect(texts.size).toBe(0);
  const { over } = spillLargeStrings({ over: `${fits}e` as unknown }, put);
  expect(over).toEqual({
    blob: blobNameOf(Buffer.from(`${fits}e`)),
    size: limits.inlineStringBytes + 1,
  });
});

test("an object of the author's own that looks like a reference is kept, and keeps its blob alive", () => {
  const { put, get } = shelf();
  const body = { source: { kind: "blob", blob: lookAlike }, extra: { ...lookAlike, x: undefined } };
  const line = JSON.stringify(spillLargeStrings(body, put));
  expect(line).toContain('{"$literal":{"blob"');
  expect(restoreStrings(JSON.parse(line), get)).toEqual({
    source: { kind: "blob", blob: lookAlike },
    extra: lookAlike,
  });
  expect([...blobNamesIn([Buffer.from(line)])]).toEqual([lookAlike.blob, lookAlike.blob]);
});

test("data nested deeper than the limit is left alone in both directions", () => {
  let deep: unknown = { ...lookAlike };
  for (let depth = 0; depth < 5_000; depth += 1) deep = [deep];
  expect(spillLargeStrings(deep, shelf().put)).toBe(deep);
  expect(restoreStrings(deep, shelf().get)).toBe(deep);
});
