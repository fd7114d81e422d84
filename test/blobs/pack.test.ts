import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { disk } from "../../src/base/disk.ts";
import { blobNameOf } from "../../src/blobs/name.ts";
import {
  type PackScan,
  readEntry,
  recordHeaderBytes,
  scanPack,
  writeRecord,
} from "../../src/blobs/pack.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const seed = 20261115;
const folder = temporaryFolder();

function record(text: string): Buffer {
  const bytes = Buffer.from(text);
  const made = Buffer.alloc(recordHeaderBytes + bytes.length);
  writeRecord(made, 0, blobNameOf(bytes), bytes);
  return made;
}

function scanned(bytes: Buffer, from = 0): PackScan & { readonly texts: readonly string[] } {
  const path = join(folder, "pack");
  writeFileSync(path, bytes);
  const fd = disk.openRead(path);
  try {
    const scan = scanPack(disk, fd, from);
    const texts = scan.entries.map((entry) => String(readEntry(fd, entry)));
    return { ...scan, texts };
  } finally {
    disk.close(fd);
  }
}

test("a pack cut off at any byte has every record before the cut, and reading goes on from there", () => {
  const texts = ["first", "", "third record"];
  const records = texts.map(record);
  const whole = Buffer.concat(records);
  const ends = records.map((_, i) => Buffer.concat(records.slice(0, i + 1)).length);
  for (let cut = 0; cut <= whole.length; cut += 1) {
    const complete = ends.filter((end) => end <= cut).length;
    const scan = scanned(whole.subarray(0, cut));
    expect(scan.texts).toEqual(texts.slice(0, complete));
    expect(scan.damagedBytes).toBe(0);
    expect(scan.end).toBe(complete === 0 ? 0 : ends[complete - 1]);
    expect(scanned(whole, scan.end).texts).toEqual(texts.slice(complete));
  }
});

test(`damage costs only the records it lies in (seed ${seed})`, () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 300 }), { minLength: 3, maxLength: 8 }),
      fc.nat(),
      fc.uint8Array({ minLength: 1, maxLength: 60 }),
      (texts, at, noise) => {
        const records = texts.map(record);
        const whole = Buffer.concat(records);
        const start = at % whole.length;
        const damaged = Buffer.from(whole);
        damaged.set(noise.subarray(0, whole.length - start), start);
        const sound = new Set(
          scanned(damaged).entries.map((entry) => `${entry.name} ${entry.offset}`),
        );
        let offset = 0;
        for (const [index, bytes] of records.entries()) {
          const untouched = bytes.equals(damaged.subarray(offset, offset + bytes.length));
          const place = `${blobNameOf(Buffer.from(texts[index]!))} ${offset + 48}`;
          if (untouched) expect(sound).toContain(place);
          offset += bytes.length;
        }
      },
    ),
    { seed, numRuns: 300 },
  );
});

test("zeros where a page was lost are passed over and counted", () => {
  const lost = Buffer.alloc(9000);
  const scan = scanned(Buffer.concat([record("before"), lost, record("after")]));
  expect(scan.texts).toEqual(["before", "after"]);
  expect(scan.damagedBytes).toBe(lost.length);
});

test("a record that claims more than a pack may hold is no record", () => {
  const claim = record("x");
  claim.writeUInt32LE(0xffffffff, 8);
  expect(scanned(Buffer.concat([claim, record("next")])).texts).toEqual(["next"]);
});
