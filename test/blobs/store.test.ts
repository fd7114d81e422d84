import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  lstatSync,
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
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Disk, disk } from "../../src/base/disk.ts";
import { parseObject } from "../../src/base/json.ts";
import { limits } from "../../src/base/limits.ts";
import { blobNameOf } from "../../src/blobs/name.ts";
import { BlobStore } from "../../src/blobs/store.ts";
import { newSeal } from "../../src/log/make-seal.ts";
import type { BlobRef } from "../../src/model/block.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const seed = 20261115;
const root = temporaryFolder();

let folders = 0;
function newFolder(): string {
  folders += 1;
  return join(root, String(folders), "blobs");
}

const small = "a small one";
const large = "a large one ".repeat(limits.packedBlobBytes / 10);

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}

function fileOf(folder: string, ref: BlobRef): string {
  return join(folder, ref.blob.slice(0, 2), ref.blob);
}

/** The real disk, telling which operations happened, each with the file's name. */
function recordingDisk(options: { readonly failSyncs?: number } = {}): Disk & { log: string[] } {
  const log: string[] = [];
  const names = new Map<number, string>();
  let failures = options.failSyncs ?? 0;
  const shape = (path: string) =>
    basename(path)
      .replace(/^[0-9a-f]{64}/, "hash")
      .replace(/^[0-9a-f-]{36}\.pack/, "pack")
      .replace(/\.[0-9a-z-]+\.[0-9a-z]+\.tmp$/, ".tmp")
      .replace(/^[0-9a-f]{2}$/, "xx");
  const opened = (path: string, fd: number) => {
    names.set(fd, shape(path));
    return fd;
  };
  const sync = (fd: number) => {
    log.push(`sync ${names.get(fd)}`);
    failures -= 1;
    if (failures >= 0) throw Object.assign(new Error("EIO"), { code: "EIO" });
  };
  return {
    ...disk,
    log,
    openAppend: (path, how) => opened(path, disk.openAppend(path, how)),
    openRead: (path) => opened(path, disk.openRead(path)),
    write: (fd, bytes) => {
      log.push(`write ${names.get(fd)}`);
      return disk.write(fd, bytes);
    },
    sync: (fd, done) => {
      try {
        sync(fd);
      } catch (error) {
        queueMicrotask(() => done(error));
        return;
      }
      queueMicrotask(done);
    },
    syncNow: sync,
    syncDirectory: (path) => {
      log.push(`syncDirectory ${shape(path)}`);
      disk.syncDirectory(path);
    },
    rename: (from, to) => {
      log.push(`rename ${shape(from)} ${shape(to)}`);
      disk.rename(from, to);
    },
  };
}

test(`what was put comes back, from the same store and from another one (seed ${seed})`, () => {
  const folder = newFolder();
  const store = new BlobStore(folder);
  const put: [Buffer, BlobRef][] = [];
  const sizes = fc.oneof(
    fc.nat({ max: 2000 }),
    fc.constantFrom(0, limits.packedBlobBytes, limits.packedBlobBytes + 1),
  );
  fc.assert(
    fc.property(sizes, (size) => {
      const bytes = randomBytes(size);
      const ref = store.putSync(bytes);
      expect(ref).toEqual({ blob: blobNameOf(bytes), size });
      expect(store.get(ref).equals(bytes)).toBe(true);
      put.push([bytes, ref]);
    }),
    { seed, numRuns: 60 },
  );
  store.close();
  const other = new BlobStore(folder);
  for (const [bytes, ref] of put) {
    expect(other.has(ref.blob)).toBe(true);
    expect(other.get(ref).equals(bytes)).toBe(true);
    expect(Buffer.concat([...other.stream(ref)]).equals(bytes)).toBe(true);
  }
});

test("small content shares a pack, large content has a file, and only the owner may read them", () => {
  const folder = newFolder();
  const store = new BlobStore(folder);
  const refs = [store.putSync(small), store.putSync("another"), store.putSync(large)];
  const files = filesOf(folder);
  expect(files).toHaveLength(2);
  expect(files).toContain(fileOf(folder, refs[2]!));
  for (const file of files) {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  }
  store.close();
});

test("the same content is stored once, across stores too", () => {
  const folder = newFolder();
  for (let round = 0; round < 3; round += 1) {
    const store = new BlobStore(folder);
    for (const content of [small, large, small]) store.putSync(content);
    store.close();
  }
  const bytes = filesOf(folder).reduce((sum, file) => sum + statSync(file).size, 0);
  expect(bytes).toBe(small.length + 48 + large.length);
});

test("data is synced before its name, the name's folder after it, and existing content again", () => {
  const folder = newFolder();
  const watched = recordingDisk();
  const store = new BlobStore(folder, { disk: watched });
  const next = (content: string, by = store) => {
    by.putSync(content);
    return watched.log.splice(0);
  };
  mkdirSync(folder, { recursive: true });
  expect(next(small)).toEqual([
    "syncDirectory blobs",
    "write pack",
    "sync pack",
    "syncDirectory packs",
  ]);
  expect(next("second")).toEqual(["write pack", "sync pack"]);
  expect(next("second")).toEqual([]);
  expect(next(large)).toEqual([
    "syncDirectory blobs",
    "write hash.tmp",
    "sync hash.tmp",
    "rename hash.tmp hash",
    "syncDirectory xx",
  ]);
  const other = new BlobStore(folder, { disk: watched });
  expect(next(large, other)).toEqual(["sync hash", "syncDirectory xx"]);
  expect(next(small, other)).toEqual(["sync pack", "syncDirectory packs"]);
  store.close();
});

test("contents that are settled together share one sync of their pack", async () => {
  const watched = recordingDisk();
  const store = new BlobStore(newFolder(), { disk: watched });
  const staged = ["one", "two", "three"].map((content) => store.stage(content));
  await store.settle(staged);
  expect(watched.log.filter((entry) => entry === "sync pack")).toHaveLength(1);
  expect(staged.map(({ ref }) => String(store.get(ref)))).toEqual(["one", "two", "three"]);
  store.close();
});

test("puts that run together across the size of a pack all become durable", async () => {
  const store = new BlobStore(newFolder());
  const contents = Array.from({ length: 140 }, () => randomBytes(limits.packedBlobBytes));
  const refs = await Promise.all(contents.map((content) => store.put(content)));
  store.close();
  const other = new BlobStore(store.folder);
  expect(refs.every((ref, index) => other.get(ref).equals(contents[index]!))).toBe(true);
  expect(readdirSync(join(store.folder, "packs"))).toHaveLength(2);
});

test.each([
  ["small", small],
  ["large", large],
])("a failed sync of %s content is told, and putting it again writes it anew", (_, content) => {
  const watched = recordingDisk({ failSyncs: 1 });
  const store = new BlobStore(newFolder(), { disk: watched });
  const failed = expect.objectContaining({ code: "sync_failed" });
  expect(() => store.putSync(content)).toThrow(failed);
  watched.log.length = 0;
  const ref = store.putSync(content);
  expect(watched.log.filter((entry) => entry.startsWith("write"))).toHaveLength(1);
  expect(String(store.get(ref))).toBe(content);
  store.close();
});

test("content staged in a pack whose sync failed is written to another pack", async () => {
  const watched = recordingDisk({ failSyncs: 1 });
  const store = new BlobStore(newFolder(), { disk: watched });
  const [first, second] = [store.stage("first"), store.stage("second")];
  await expect(store.settle([first])).rejects.toMatchObject({ code: "sync_failed" });
  await store.settle([second]);
  expect(readdirSync(join(store.folder, "packs"))).toHaveLength(2);
  expect(String(store.get(second.ref))).toBe("second");
  store.close();
});

test("content whose pack a collection took away between write and sync is put again", () => {
  const store = new BlobStore(newFolder());
  const staged = store.stage(small);
  const packs = join(store.folder, "packs");
  rmSync(join(packs, readdirSync(packs)[0]!));
  store.settleSync([staged]);
  expect(String(new BlobStore(store.folder).get(staged.ref))).toBe(small);
  store.close();
});

test("changed content is refused, and putting it again heals it", () => {
  const folder = newFolder();
  const first = new BlobStore(folder);
  const refs = [first.putSync(small), first.putSync(large)];
  first.close();
  for (const file of filesOf(folder)) {
    const bytes = readFileSync(file);
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(file, bytes);
  }
  const store = new BlobStore(folder);
  const damaged = expect.objectContaining({ code: "damaged" });
  for (const ref of refs) expect(() => store.get(ref)).toThrow(damaged);
  expect(() => [...store.stream(refs[1]!)]).toThrow(damaged);
  for (const content of [small, large]) {
    expect(String(store.get(store.putSync(content)))).toBe(content);
  }
  store.close();
});

test("what is not there is blob_missing, and so is every name that is no hash", () => {
  const store = new BlobStore(newFolder());
  const missing = expect.objectContaining({ code: "blob_missing" });
  const names = [
    "0".repeat(64),
    "",
    "../../../../etc/passwd",
    `${"a".repeat(62)}/x`,
    "A".repeat(64),
    `${"a".repeat(64)}\n`,
    `../${"a".repeat(61)}`,
    { toString: () => "a".repeat(64) } as unknown as string,
  ];
  for (const blob of names) {
    expect(() => store.get({ blob, size: 1 })).toThrow(missing);
    expect(() => [...store.stream({ blob, size: 1 })]).toThrow(missing);
    expect(store.has(blob)).toBe(false);
    expect(store.renew(blob)).toBe(false);
  }
});

test("a symbolic link under a blob's name is neither trusted nor written through", () => {
  const folder = newFolder();
  const store = new BlobStore(folder);
  const name = blobNameOf(Buffer.from(large));
  const outside = join(dirname(folder), "outside");
  mkdirSync(join(folder, name.slice(0, 2)), { recursive: true });
  writeFileSync(outside, large);
  utimesSync(outside, 1, 1);
  symlinkSync(outside, join(folder, name.slice(0, 2), name));
  const ref = store.putSync(large);
  expect(lstatSync(fileOf(folder, ref)).isFile()).toBe(true);
  expect(statSync(outside).mtimeMs).toBe(1000);
  writeFileSync(outside, "changed");
  expect(String(store.get(ref))).toBe(large);
});

test("content in the trash of a collection that was cut off can still be read", () => {
  const folder = newFolder();
  const first = new BlobStore(folder);
  const refs = [first.putSync(small), first.putSync(large)];
  first.close();
  const trash = join(folder, "trash");
  const files = filesOf(folder);
  mkdirSync(trash);
  for (const file of files) renameSync(file, join(trash, basename(file)));
  const store = new BlobStore(folder);
  expect(refs.map((ref) => String(store.get(ref)))).toEqual([small, large]);
  expect(refs.every((ref) => store.has(ref.blob))).toBe(true);
});

test("sealed content hides its text and its hash, and opens only with its key", () => {
  const plain = new BlobStore(newFolder());
  const key = randomBytes(32);
  const seal = newSeal({ key });
  const sealed = plain.sealedWith(seal.blobs);
  for (const content of [small, large]) {
    const ref = sealed.putSync(content);
    expect(ref.size).toBe(content.length);
    expect(ref.blob).not.toBe(blobNameOf(Buffer.from(content)));
    expect(String(sealed.get(ref))).toBe(content);
    expect(String(Buffer.concat([...sealed.stream(ref)]))).toBe(content);
    expect(() => plain.get(ref)).toThrow(expect.objectContaining({ code: "damaged" }));
    const stranger = plain.sealedWith(newSeal({ key }).blobs);
    expect(() => stranger.get(ref)).toThrow(expect.objectContaining({ code: "damaged" }));
  }
  for (const file of filesOf(plain.folder)) {
    expect(readFileSync(file).includes(small)).toBe(false);
    expect(readFileSync(file).includes(large.slice(0, 40))).toBe(false);
  }
  plain.close();
});

const built = fileURLToPath(new URL("../../dist/rooms", import.meta.url));
const putter = fileURLToPath(new URL("./children/blob-putter.mjs", import.meta.url));

test.each(
  ["before-write", "half-written", "after-write", "after-sync"].flatMap((point) =>
    ["1", "2", "5", "6"].map((visit) => `blob.${point}:${visit}`),
  ),
)("a process killed at %s loses nothing it acknowledged", async (failpoint) => {
  const folder = newFolder();
  const module = pathToFileURL(join(built, "blobs/store.js")).href;
  const child = spawn(process.execPath, [putter, module, folder, "8"], {
    env: { ...process.env, REPRISE_FAILPOINT: failpoint },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said, [, signal]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  expect(signal).toBe("SIGKILL");
  const acknowledged = said
    .split("\n")
    .map(parseObject)
    .filter((ref) => ref !== undefined);
  expect(acknowledged).toHaveLength(Number(failpoint.split(":")[1]) - 1);
  const store = new BlobStore(folder);
  for (const ref of acknowledged) {
    expect(store.get(ref as unknown as BlobRef)).toHaveLength(ref["size"] as number);
  }
  for (const content of [small, large]) {
    expect(String(store.get(store.putSync(content)))).toBe(content);
  }
  store.close();
});

test("a pack that another process appends to is read on as it grows", () => {
  const folder = newFolder();
  const writer = new BlobStore(folder);
  const reader = new BlobStore(folder);
  const first = writer.putSync("first");
  expect(String(reader.get(first))).toBe("first");
  const second = writer.putSync("second");
  expect(String(reader.get(second))).toBe("second");
  const packs = join(folder, "packs");
  appendFileSync(join(packs, readdirSync(packs)[0]!), "REPRBLB1 torn");
  expect(String(reader.get(first))).toBe("first");
  expect(String(new BlobStore(folder).get(second))).toBe("second");
  writer.close();
});
