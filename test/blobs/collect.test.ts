import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { collectBlobs } from "../../src/blobs/collect.ts";
import { BlobStore } from "../../src/blobs/store.ts";
import type { BlobRef } from "../../src/model/block.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const seed = 20261115;
const root = temporaryFolder();

let folders = 0;
function newFolder(): string {
  folders += 1;
  return join(root, String(folders));
}

function contentOf(number: number): string {
  return `content ${number} `.repeat(number % 3 === 0 ? limits.packedBlobBytes / 8 : 10);
}

/** Every file as if it had not been used for two days. */
function age(folder: string): void {
  const past = new Date(Date.now() - 2 * limits.blobGraceMs);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), past, past);
  }
}

function filled(numbers: readonly number[]): { folder: string; refs: readonly BlobRef[] } {
  const folder = newFolder();
  const store = new BlobStore(folder);
  const refs = numbers.map((number) => store.putSync(contentOf(number)));
  store.close();
  age(folder);
  return { folder, refs };
}

function holds(folder: string, ref: BlobRef): boolean {
  return new BlobStore(folder).has(ref.blob);
}

test("unreferenced content goes, referenced content stays", () => {
  const { folder, refs } = filled([0, 1, 2, 3, 4, 5]);
  const kept = [refs[0]!, refs[1]!];
  const done = collectBlobs(folder, { referenced: () => kept.map((ref) => ref.blob) });
  expect(refs.map((ref) => holds(folder, ref))).toEqual([true, true, false, false, false, false]);
  expect(done).toMatchObject({ deletedFiles: 1, deletedPacks: 1, restored: 0 });
  expect(done.freedBytes).toBeGreaterThan(refs[3]!.size);
  expect(kept.map((ref) => String(new BlobStore(folder).get(ref)))).toEqual([
    contentOf(0),
    contentOf(1),
  ]);
  expect(readdirSync(join(folder, "trash"))).toEqual([]);
});

test("content that was used within the time of grace stays, also when put again just now", () => {
  const { folder, refs } = filled([0, 1]);
  const store = new BlobStore(folder);
  store.putSync(contentOf(0));
  store.putSync(contentOf(1));
  expect(collectBlobs(folder, { referenced: () => [] })).toMatchObject({ freedBytes: 0 });
  expect(refs.every((ref) => holds(folder, ref))).toBe(true);
  store.close();
});

test("a pack that is mostly alive is not rewritten", () => {
  const { folder, refs } = filled([1, 2, 4]);
  const before = readdirSync(join(folder, "packs"));
  const done = collectBlobs(folder, { referenced: () => [refs[0]!.blob, refs[1]!.blob] });
  expect(done.deletedPacks).toBe(0);
  expect(readdirSync(join(folder, "packs"))).toEqual(before);
});

test("a reference that appears between the two looks brings the content back", () => {
  const { folder, refs } = filled([0, 1, 2]);
  let looks = 0;
  const done = collectBlobs(folder, {
    referenced: () => {
      looks += 1;
      return looks === 1 ? [] : refs.map((ref) => ref.blob);
    },
  });
  expect(looks).toBe(2);
  expect(done).toEqual({ deletedFiles: 0, deletedPacks: 0, freedBytes: 0, restored: 2 });
  expect(refs.every((ref) => holds(folder, ref))).toBe(true);
});

test("content put again while it lies in the trash is there afterwards, though nothing names it yet", () => {
  const { folder, refs } = filled([0, 1, 2]);
  const store = new BlobStore(folder);
  for (const ref of refs) store.get(ref);
  let looks = 0;
  collectBlobs(folder, {
    referenced: () => {
      looks += 1;
      if (looks === 2) for (const number of [0, 1, 2]) store.putSync(contentOf(number));
      return [];
    },
  });
  expect(refs.every((ref) => holds(folder, ref))).toBe(true);
  store.close();
});

test("a file touched after it was judged and before it was moved comes back", () => {
  const { folder, refs } = filled([0, 1]);
  const now = new Date();
  let looks = 0;
  collectBlobs(folder, {
    referenced: () => {
      looks += 1;
      const trash = join(folder, "trash");
      if (looks === 2)
        for (const file of readdirSync(trash)) utimesSync(join(trash, file), now, now);
      return [];
    },
  });
  expect(refs.every((ref) => holds(folder, ref))).toBe(true);
});

test("a process that kept its pack open for days goes on without loss after a collection", () => {
  const folder = newFolder();
  const writer = new BlobStore(folder);
  const old = writer.putSync("old");
  age(folder);
  collectBlobs(folder, { referenced: () => [] });
  expect(holds(folder, old)).toBe(false);
  const fresh = writer.putSync("fresh");
  expect(String(new BlobStore(folder).get(fresh))).toBe("fresh");
  expect(String(writer.get(writer.putSync("old")))).toBe("old");
  writer.close();
});

test("references that cannot be told the second time bring everything back and end the collection", () => {
  const { folder, refs } = filled([0, 1]);
  let looks = 0;
  const referenced = () => {
    looks += 1;
    if (looks === 2) throw new Error("a session cannot be read");
    return [];
  };
  expect(() => collectBlobs(folder, { referenced })).toThrow("a session cannot be read");
  expect(readdirSync(join(folder, "trash"))).toEqual([]);
  expect(refs.every((ref) => holds(folder, ref))).toBe(true);
});

test("a collection that was cut off is finished by the next: wanted content returns, the rest goes", () => {
  const { folder, refs } = filled([0, 3, 1]);
  const trash = join(folder, "trash");
  mkdirSync(trash);
  for (const ref of refs.slice(0, 2)) {
    renameSync(join(folder, ref.blob.slice(0, 2), ref.blob), join(trash, ref.blob));
  }
  const pack = readdirSync(join(folder, "packs"))[0]!;
  renameSync(join(folder, "packs", pack), join(trash, pack));
  const kept = [refs[0]!.blob, refs[2]!.blob];
  collectBlobs(folder, { referenced: () => kept });
  expect(readdirSync(trash)).toEqual([]);
  expect(refs.map((ref) => holds(folder, ref))).toEqual([true, false, true]);
});

test("a pack with damage inside is left as it is; leftovers of writers that were cut off go", () => {
  const { folder, refs } = filled([1, 2, 4, 0]);
  const pack = join(folder, "packs", readdirSync(join(folder, "packs"))[0]!);
  const bytes = readFileSync(pack);
  bytes.fill(0, 0, 20);
  writeFileSync(pack, bytes);
  const leftover = join(folder, refs[3]!.blob.slice(0, 2), `${refs[3]!.blob}.1.aa.tmp`);
  writeFileSync(leftover, "half");
  age(folder);
  collectBlobs(folder, { referenced: () => [] });
  expect(readFileSync(pack).equals(bytes)).toBe(true);
  expect(existsSync(leftover)).toBe(false);
});

test("a collection never leaves its folder through symbolic links", () => {
  const { folder } = filled([1]);
  const outside = newFolder();
  const name = "ab".repeat(32);
  mkdirSync(join(outside, "ab"), { recursive: true });
  writeFileSync(join(outside, "ab", name), "precious");
  age(outside);
  symlinkSync(join(outside, "ab"), join(folder, "ab"));
  collectBlobs(folder, { referenced: () => [] });
  expect(readFileSync(join(outside, "ab", name), "utf8")).toBe("precious");
});

test("of two collections at once the second is refused", () => {
  const { folder } = filled([1]);
  const busy = expect.objectContaining({ code: "session_busy" });
  collectBlobs(folder, {
    referenced: () => {
      expect(() => collectBlobs(folder, { referenced: () => [] })).toThrow(busy);
      return [];
    },
  });
  expect(readdirSync(folder).filter((name) => name.includes("lease"))).toEqual([]);
});

test("a folder that does not exist is left that way", () => {
  const folder = newFolder();
  collectBlobs(folder, { referenced: () => [] });
  expect(existsSync(folder)).toBe(false);
});

/** What may happen in any order; numbers choose contents and stores. */
type Step = readonly ["put" | "drop" | "age" | "collect" | "reopen", number];

test(`collection in any order never loses referenced content (seed ${seed})`, () => {
  const steps = fc.array(
    fc.tuple(
      fc.constantFrom("put", "put", "put", "drop", "age", "collect", "reopen"),
      fc.nat({ max: 11 }),
    ) as fc.Arbitrary<Step>,
    { minLength: 5, maxLength: 25 },
  );
  fc.assert(
    fc.property(steps, fc.array(fc.nat({ max: 11 }), { maxLength: 3 }), (sequence, late) => {
      const folder = newFolder();
      const stores = [new BlobStore(folder), new BlobStore(folder)];
      const referenced = new Map<number, BlobRef>();
      for (const [what, number] of sequence) {
        const store = stores[number % 2]!;
        if (what === "put") referenced.set(number, store.putSync(contentOf(number)));
        if (what === "drop") referenced.delete(number);
        const ages = what === "age" || (what === "collect" && number % 4 !== 0);
        if (ages && existsSync(folder)) age(folder);
        if (what === "reopen") {
          store.close();
          stores[number % 2] = new BlobStore(folder);
        }
        if (what === "collect") {
          let looks = 0;
          collectBlobs(folder, {
            referenced: () => {
              looks += 1;
              const names = [...referenced.values()].map((ref) => ref.blob);
              // Writers go on: content put before, but named only after, the second look.
              if (looks === 2) for (const n of late) referenced.set(n, store.putSync(contentOf(n)));
              return names;
            },
          });
        }
        for (const [n, ref] of referenced) {
          expect(String(stores[n % 2]!.get(ref)) === contentOf(n)).toBe(true);
        }
      }
      for (const store of stores) store.close();
      const fresh = new BlobStore(folder);
      for (const [n, ref] of referenced) {
        expect(String(fresh.get(ref)) === contentOf(n)).toBe(true);
      }
      rmSync(folder, { recursive: true, force: true });
    }),
    { seed, numRuns: 40 },
  );
});

test("a damaged copy that is rewritten first does not cost the sound one", () => {
  const { folder, refs } = filled([1, 2]);
  const packs = join(folder, "packs");
  const damaged = join(packs, readdirSync(packs)[0]!);
  const bytes = readFileSync(damaged);
  bytes[60]! ^= 1;
  writeFileSync(damaged, bytes);
  const healer = new BlobStore(folder);
  for (const number of [1, 4]) healer.putSync(contentOf(number));
  healer.close();
  age(folder);
  expect(readdirSync(packs)).toHaveLength(2);
  const done = collectBlobs(folder, { referenced: () => [refs[0]!.blob] });
  expect(done.deletedPacks).toBe(2);
  expect(String(new BlobStore(folder).get(refs[0]!))).toBe(contentOf(1));
});

test("what is collected frees its space", () => {
  const { folder, refs } = filled([1, 2, 4, 5, 7]);
  const size = () =>
    readdirSync(join(folder, "packs"))
      .map((file) => statSync(join(folder, "packs", basename(file))).size)
      .reduce((sum, bytes) => sum + bytes, 0);
  const before = size();
  collectBlobs(folder, { referenced: () => [refs[0]!.blob] });
  expect(size()).toBeLessThan(before / 3);
  expect(String(new BlobStore(folder).get(refs[0]!))).toBe(contentOf(1));
});
