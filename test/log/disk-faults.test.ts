import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Disk } from "../../src/base/disk.ts";
import { FileLog } from "../../src/store/file-log.ts";
import { folderHome } from "../../src/store/home.ts";
import {
  appendNote,
  freshFolder,
  notesOf,
  quickDisk,
  readAll,
  sessionWith,
  verified,
} from "./damaged-session.ts";

const code = (name: string, more: object = {}) => expect.objectContaining({ code: name, ...more });
const note = (content: string) => [{ body: { type: "note", content } as const }];

function openLog(file: string, disk: Disk): FileLog {
  return FileLog.open(folderHome(join(file, "..")), file, { disk, sync: "each" });
}

test.each([
  ["takes a part of the line", (bytes: Uint8Array) => Math.floor(bytes.length / 2), "ENOSPC"],
  ["takes nothing", () => 0, "ENOSPC"],
  ["fails after a part", () => Object.assign(new Error("no space"), { code: "ENOSPC" }), "ENOSPC"],
  [
    "fails with an input/output error",
    () => Object.assign(new Error("io"), { code: "EIO" }),
    "EIO",
  ],
])(
  "a disk that %s: write_failed, nothing of the line is kept, the next append works",
  async (_what, outcome, errno) => {
    const { file } = await sessionWith(2);
    const before = readFileSync(file);
    let isFull = true;
    let isBegun = false;
    const failing: Disk = {
      ...quickDisk,
      write: (fd, bytes) => {
        if (!isFull) return quickDisk.write(fd, bytes);
        // A disk that took a part of a line takes nothing of the rest.
        isBegun = !isBegun;
        if (!isBegun) return 0;
        const result = outcome(bytes);
        const taken = typeof result === "number" ? result : 7;
        if (taken > 0) quickDisk.write(fd, bytes.subarray(0, taken));
        if (typeof result === "number") return taken;
        isBegun = false;
        throw result;
      },
    };
    const log = openLog(file, failing);
    expect(() => log.appendSync(note("lost"))).toThrow(
      code("write_failed", { details: { errno } }),
    );
    expect(readFileSync(file)).toEqual(before);
    await expect(log.append(note("lost"))).rejects.toThrow(code("write_failed"));
    expect(readFileSync(file)).toEqual(before);
    isFull = false;
    expect((await log.append(note("kept")))[0]!.id).toBe(4);
    await log.close();
    expect(notesOf((await readAll(file)).events)).toEqual(["note 2", "note 3", "kept"]);
    expect(verified(file).problems).toEqual([]);
  },
);

test("a disk that takes a line in two parts keeps it", async () => {
  const { file } = await sessionWith(2);
  const log = openLog(file, {
    ...quickDisk,
    write: (fd, bytes) => quickDisk.write(fd, bytes.subarray(0, Math.ceil(bytes.length / 2) + 20)),
  });
  expect(log.appendSync(note("kept"))[0]!.id).toBe(4);
  await log.close();
  expect(notesOf((await readAll(file)).events)).toEqual(["note 2", "note 3", "kept"]);
  expect(verified(file)).toMatchObject({ problems: [], unfinishedBytes: 0 });
});

test("where a half-written line cannot even be cut off, the next append mends it", async () => {
  const { file } = await sessionWith(2);
  let isFull = true;
  const failing: Disk = {
    ...quickDisk,
    write: (fd, bytes) => quickDisk.write(fd, isFull ? bytes.subarray(0, 20) : bytes),
    truncate: (fd, size) => {
      if (isFull) throw Object.assign(new Error("io"), { code: "EIO" });
      quickDisk.truncate(fd, size);
    },
  };
  const log = openLog(file, failing);
  expect(() => log.appendSync(note("lost"))).toThrow(code("write_failed"));
  isFull = false;
  log.appendSync(note("kept"));
  await log.close();
  expect((await readAll(file)).events.map(({ type }) => type).slice(3)).toEqual([
    "recovered",
    "note",
  ]);
  expect(verified(file).problems).toEqual([]);
});

test("a mending that runs out of space changes nothing, and is finished when there is space again", async () => {
  const { file } = await sessionWith(4);
  const damaged = readFileSync(file, "utf8").replace('"note 3"', '"note');
  writeFileSync(file, damaged);
  let room = 0;
  const full: Disk = {
    ...quickDisk,
    write: (fd, bytes) => {
      if (room <= 0) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
      room -= 1;
      return quickDisk.write(fd, bytes);
    },
  };
  const log = openLog(file, full);
  expect(() => log.appendSync(note("x"))).toThrow(code("write_failed"));
  expect(readFileSync(file, "utf8")).toBe(damaged);
  // Room for the bytes set aside, not for the events that go back.
  room = 2;
  expect(() => log.appendSync(note("x"))).toThrow(code("write_failed"));
  room = 100;
  log.appendSync(note("kept"));
  await log.close();
  expect(notesOf((await readAll(file)).events)).toEqual(["note 2", "note 4", "note 5", "kept"]);
  expect(verified(file).problems).toEqual([]);
});

test("after a mending that failed the next append mends too, however soon it comes", async () => {
  const isFull: Disk = {
    ...quickDisk,
    write: () => {
      throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    },
  };
  // Some of these pairs of appends fall into one millisecond.
  for (let round = 0; round < 40; round += 1) {
    const { file } = await sessionWith(2);
    const damaged = `${readFileSync(file, "utf8")}{"id":4,"torn`;
    writeFileSync(file, damaged);
    let disk = isFull;
    const log = openLog(file, { ...quickDisk, write: (fd, bytes) => disk.write(fd, bytes) });
    expect(() => log.appendSync(note("lost"))).toThrow(code("write_failed"));
    disk = quickDisk;
    log.appendSync(note("kept"));
    await log.close();
    expect(notesOf((await readAll(file)).events)).toEqual(["note 2", "note 3", "kept"]);
    expect(verified(file).problems).toEqual([]);
  }
});

test("a full disk under a real process: what was acknowledged stays, the rest is refused, and later it goes on", async () => {
  const folder = freshFolder();
  const child = fileURLToPath(new URL("children/fill.mjs", import.meta.url));
  const { stdout, stderr, status } = spawnSync(
    "prlimit",
    ["--fsize=65536", process.execPath, child, folder],
    { encoding: "utf8" },
  );
  expect(status, stderr).toBe(0);
  const said = JSON.parse(stdout) as { acknowledged: number[]; code: string; hint: string };
  expect(said.code).toBe("write_failed");
  // The limit of a process is not a full disk: the first write was short, and the next one says why.
  expect(said.hint).toContain("ulimit -f");
  const file = join(folder, "s.jsonl");
  expect((await readAll(file)).events.map(({ id }) => id)).toEqual([1, ...said.acknowledged]);
  expect(verified(file)).toMatchObject({ problems: [], unfinishedBytes: 0 });
  expect((await appendNote(file)).id).toBe(said.acknowledged.length + 2);
});

test("a process without free descriptors takes those of idle sessions, and is told so where there are none", async () => {
  const folder = freshFolder();
  const child = fileURLToPath(new URL("children/no-descriptors.mjs", import.meta.url));
  const { stdout, stderr, status } = spawnSync(
    "prlimit",
    ["--nofile=64", process.execPath, child, folder],
    { encoding: "utf8" },
  );
  expect(status, stderr).toBe(0);
  const hint = expect.stringContaining("ulimit -n");
  expect(JSON.parse(stdout)).toEqual([
    ["open", "EMFILE"],
    ["without the lease", "done"],
    ["without the lease, not blocking", "done"],
    ["a large text", "done"],
    ["a new session", "too_many_files", hint],
    ["an old one", "too_many_files", hint],
    ["a list", "too_many_files", hint],
    ["afterwards", "done"],
  ]);
  for (const name of ["s.jsonl", "t.jsonl"]) {
    expect(verified(join(folder, name))).toMatchObject({ problems: [], unfinishedBytes: 0 });
  }
});

test("under `ulimit -n 64` two hundred open sessions lose nothing", () => {
  const folder = freshFolder();
  const child = fileURLToPath(new URL("children/few-descriptors.mjs", import.meta.url));
  const { stdout, stderr, status } = spawnSync(
    "prlimit",
    ["--nofile=64", process.execPath, child, folder, "200"],
    { encoding: "utf8" },
  );
  expect(status, stderr).toBe(0);
  const { refused, ...kept } = JSON.parse(stdout) as { readonly refused: readonly string[] };
  expect(kept).toEqual({ acknowledged: 1_000, lost: [], listed: 220 });
  expect(["too_many_files"]).toEqual(expect.arrayContaining([...refused]));
});

test.each([
  ["EROFS", "no_permission", "Make the file system writable"],
  ["EMFILE", "too_many_files", "ulimit -n"],
  ["EFBIG", "write_failed", "ulimit -f"],
  ["EDQUOT", "write_failed", "quota"],
])("a write that fails with %s is told as %s, with what to do", async (errno, name, hint) => {
  const { file } = await sessionWith(1);
  const log = openLog(file, {
    ...quickDisk,
    write: () => {
      throw Object.assign(new Error(errno), { code: errno });
    },
  });
  expect(() => log.appendSync(note("lost"))).toThrow(
    code(name, { hint: expect.stringContaining(hint), details: { errno } }),
  );
  await log.close();
});

function failureOf(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

test("a failed sync poisons the session, names the events in doubt, and reopening clears it", async () => {
  const { file } = await sessionWith(2);
  let failures = 1;
  const fail = () => {
    if (failures === 0) return;
    failures -= 1;
    throw Object.assign(new Error("io"), { code: "EIO" });
  };
  const failing: Disk = {
    ...quickDisk,
    syncNow: fail,
    sync: (_, done) => setImmediate(() => done(failureOf(fail))),
  };
  const log = openLog(file, failing);
  const both = await Promise.allSettled([log.append(note("a")), log.append(note("b"))]);
  for (const outcome of both) {
    expect(outcome).toMatchObject({
      status: "rejected",
      reason: code("sync_failed", { details: { first: 4, last: 5 } }),
    });
  }
  expect(() => log.appendSync(note("c"))).toThrow(code("sync_failed"));
  await expect(log.append(note("d"))).rejects.toThrow(/events 4 to 5/);
  await log.close();
  const again = openLog(file, failing);
  expect(again.appendSync(note("e"))[0]!.id).toBe(6);
  await again.close();
  expect(notesOf((await readAll(file)).events)).toEqual(["note 2", "note 3", "a", "b", "e"]);
});

test("an append that waits for the next sync is not acknowledged after one has failed", async () => {
  const { file } = await sessionWith(1);
  const waiting: ((error?: Error) => void)[] = [];
  const slow: Disk = {
    ...quickDisk,
    sync: (_, done) => void waiting.push(done),
  };
  const log = openLog(file, slow);
  const first = log.append(note("a")).catch((error: unknown) => error);
  while (waiting.length === 0) await new Promise(setImmediate);
  const second = log.append(note("b")).catch((error: unknown) => error);
  waiting.shift()!(Object.assign(new Error("io"), { code: "EIO" }));
  expect(await first).toMatchObject({ code: "sync_failed", details: { first: 3, last: 3 } });
  expect(await second).toMatchObject({ code: "sync_failed", details: { first: 3, last: 4 } });
  await log.close();
});

test("of two syncs at once the system tells only one that it failed, and that counts for both", async () => {
  const { file } = await sessionWith(1);
  const waiting: (() => void)[] = [];
  const log = openLog(file, {
    ...quickDisk,
    sync: (_, done) => void waiting.push(() => done()),
    syncNow: () => {
      throw Object.assign(new Error("io"), { code: "EIO" });
    },
  });
  const first = log.append(note("a")).catch((error: unknown) => error);
  while (waiting.length === 0) await new Promise(setImmediate);
  expect(() => log.appendSync(note("b"))).toThrow(code("sync_failed"));
  waiting.shift()!();
  expect(await first).toMatchObject({ code: "sync_failed" });
  await log.close();
});
