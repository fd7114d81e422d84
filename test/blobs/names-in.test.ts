import fc from "fast-check";
import { expect, test } from "vitest";
import { blobNamesIn } from "../../src/blobs/names-in.ts";

const seed = 20261117;

test(`references are found wherever the bytes are cut (seed ${seed})`, () => {
  const hex = fc.stringMatching(/^[0-9a-f]{64}$/);
  const between = fc.oneof(fc.string(), fc.constant('"blob":"'), fc.constant('{"blob":"abc"}'));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(between, hex), { maxLength: 5 }),
      fc.array(fc.nat(1000), { maxLength: 6 }),
      (parts, cuts) => {
        const text = parts.map(([noise, name]) => `${noise} {"blob":"${name}","size":1}`).join("");
        const bytes = Buffer.from(text);
        const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
        places.sort((a, b) => a - b);
        const pieces = places.map((from, at) => bytes.subarray(from, places[at + 1]));
        const found = new Set(blobNamesIn(pieces));
        expect([...found].sort()).toEqual([...new Set(parts.map(([, name]) => name))].sort());
      },
    ),
    { seed },
  );
});
