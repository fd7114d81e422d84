import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type Disk, disk } from "../../src/base/disk.ts";
import { limits } from "../../src/base/limits.ts";
import { FileLog } from "../../src/store/file-log.ts";
import { folderHome } from "../../src/store/home.ts";
import { removeSession } from "../../src/store/remove.ts";
import { PowerCutDisk, type Unsynced } from "../crash/power-cut.ts";
import { seeded } from "../random.mjs";
import { freshFolder, linesOf, quickDisk, sessionWith, writeLines } from "./damaged-session.ts";

const notes = 12;
/** The lines of the log that the strip has a second time. */
const inStrip = 5;
const texts = Array.from({ length: notes }, (_, index) => `note ${index + 2}`);
const next = [{ body: { type: "note", content: "next" } as const }];

interface Left {
  readonly folder: string;
  readonly file: string;
  readonly strip: string;
  /** The log before the power cut, and how much of it was synced for certain. */
  readonly whole: Buffer;
  readonly syncedBytes: number;
}

/** A session beside which a strip was left; what stood in the strip before comes after its newest lines. */
async function withStrip(): Promise<Left> {
  const { folder, file } = await sessionWith(notes);
  const lines = linesOf(file);
  const newest = lines.slice(-inStrip).map((line) => `${line}\n`);
  const older = lines.slice(1, 4).map((line) => `${line}\n`);
  const content = Buffer.alloc(limits.stripBytes);
  content.write([...newest, older.join("").slice(40)].join(""));
  mkdirSync(folderHome(folder).strips, { recursive: true });
  const strip = join(folderHome(folder).strips, "s.strip");
  writeFileSync(strip, content);
  const whole = readFileSync(file);
  return { folder, file, strip, whole, syncedBytes: whole.length - newest.join("").length };
}

function open({ folder, file }: Left, on: Disk = quickDisk): FileLog {
  return FileLog.open(folderHome(folder), file, { disk: on });
}

function notesIn(log: FileLog): readonly unknown[] {
  return [...log.events()].flatMap((event) => (event.type === "note" ? [event.content] : []));
}

test("no strip is written any more, however often a session is synced", async () => {
  const folder = freshFolder();
  const start = { type: "session_start", format: 1, session: "s" } as const;
  const log = FileLog.create(folderHome(folder), join(folder, "s.jsonl"), start, { sync: "each" });
  for (let times = 0; times < 40; times += 1) log.appendSync(next);
  expect(existsSync(folderHome(folder).strips)).toBe(false);
  await log.close();
});

test("what a power cut took from the log comes back from the strip, byte for byte, also for a reader", async () => {
  for (const cutOff of [0, 1, 200, -1]) {
    const left = await withStrip();
    const { file, strip, whole, syncedBytes } = left;
    truncateSync(file, cutOff < 0 ? whole.length + cutOff : syncedBytes + cutOff);
    const reader = open(left);
    expect(notesIn(reader)).toEqual(texts);
    expect(readFileSync(file)).toEqual(whole);
    expect(existsSync(strip)).toBe(false);
    await reader.close();
    expect(readdirSync(folderHome(left.folder).leases)).toEqual([]);
  }
});

test("holes of NULs in the log are filled from the strip before anything is mended", async () => {
  const left = await withStrip();
  const { file, whole, syncedBytes } = left;
  writeFileSync(file, Buffer.from(whole).fill(0, syncedBytes + 40, syncedBytes + 300));
  const log = open(left);
  log.appendSync(next);
  expect(notesIn(log)).toEqual([...texts, "next"]);
  expect(readFileSync(file).subarray(0, whole.length)).toEqual(whole);
  await log.close();
});

test("a reader leaves the strip beside a live writer alone", async () => {
  const left = await withStrip();
  const content = readFileSync(left.strip);
  rmSync(left.strip);
  const writer = open(left);
  writer.appendSync(next);
  writeFileSync(left.strip, content);
  const reader = open(left);
  expect(notesIn(reader)).toEqual([...texts, "next"]);
  expect(existsSync(left.strip)).toBe(true);
  await reader.close();
  await writer.close();
});

test("a strip that does not fit onto its log is set aside, and the log tells of it once", async () => {
  const left = await withStrip();
  const { file, folder, strip } = left;
  const content = readFileSync(strip);
  writeLines(file, linesOf(file).slice(0, -inStrip - 1));
  const log = open(left);
  log.appendSync(next);
  expect(notesIn(log)).toEqual([...texts.slice(0, -inStrip - 1), "next"]);
  const told = [...log.events()].filter(({ type }) => type === "recovered");
  await log.close();
  const { quarantine } = folderHome(folder);
  const [name] = readdirSync(quarantine);
  expect(readFileSync(join(quarantine, name!))).toEqual(content);
  expect(told).toMatchObject([{ quarantine: name, damaged: inStrip, recovered: 0 }]);
  const again = open(left);
  again.appendSync(next);
  expect([...again.events()].filter(({ type }) => type === "recovered")).toEqual(told);
  await again.close();
});

test("a log in which a line was changed or became shorter is not written over", async () => {
  for (const change of [
    (line: string) => line.replace("note", "NOTE"),
    (line: string) => line.slice(0, 30),
  ]) {
    const left = await withStrip();
    const lines = linesOf(left.file);
    const changed = lines.map((line) => (line.includes('"note 11"') ? change(line) : line));
    writeLines(left.file, changed);
    const log = open(left);
    expect(notesIn(log)).toEqual(
      expect.arrayContaining(texts.filter((text) => text !== "note 11")),
    );
    expect(readdirSync(folderHome(left.folder).quarantine)).not.toEqual([]);
    await log.close();
  }
});

test("a record that was damaged before the power cut costs itself alone", async () => {
  const left = await withStrip();
  const bytes = Buffer.from(left.whole.subarray(0, left.syncedBytes));
  bytes[bytes.indexOf('"note 5"') + 10] = 0;
  writeFileSync(left.file, bytes);
  const log = open(left);
  expect(new Set(notesIn(log))).toEqual(new Set(texts.filter((text) => text !== "note 5")));
  await log.close();
});

test("what is no strip of ours, or an empty one, changes nothing and goes", async () => {
  for (const content of ["", "no strip\n", "\0".repeat(limits.stripBytes)]) {
    const left = await withStrip();
    writeFileSync(left.strip, content);
    const log = open(left);
    expect(notesIn(log)).toEqual(texts);
    expect(readFileSync(left.file)).toEqual(left.whole);
    expect(existsSync(left.strip)).toBe(false);
    await log.close();
  }
});

test("the copy that is kept of a removed session has what only its strip had", async () => {
  const { folder, file, strip, whole, syncedBytes } = await withStrip();
  truncateSync(file, syncedBytes);
  const { archive } = removeSession(folderHome(folder), file);
  expect(gunzipSync(readFileSync(archive!))).toEqual(whole);
  expect(existsSync(strip)).toBe(false);
});

test("a log is durable before the strip beside it goes", async () => {
  const left = await withStrip();
  const names = new Map<number, string>();
  const told: string[] = [];
  const log = open(left, {
    ...disk,
    openUpdate: (path) => {
      const fd = disk.openUpdate(path);
      names.set(fd, basename(path));
      return fd;
    },
    syncNow: (fd) => void told.push(`sync ${names.get(fd)}`),
    remove: (path) => {
      told.push(`remove ${basename(path)}`);
      disk.remove(path);
    },
  });
  expect(told.slice(0, 2)).toEqual(["sync s.jsonl", "remove s.strip"]);
  expect(notesIn(log)).toEqual(texts);
  await log.close();
});

test("power cuts while a strip is put back lose nothing", async () => {
  const seed = 20_261_117;
  for (let round = 0; round < 60; round += 1) {
    const random = seeded(seed, round);
    const unsynced = random.pick<Unsynced>(["dropped", "nul-filled", "some pages"]);
    const left = await withStrip();
    truncateSync(left.file, left.syncedBytes + random.below(left.whole.length - left.syncedBytes));
    let { folder } = left;
    for (const cutAt of [1 + random.below(6), 1 + random.below(6)]) {
      const cutting = new PowerCutDisk(folder, { random, cutAt });
      const log = open({ ...left, folder, file: join(folder, "s.jsonl") }, cutting);
      cutting.cut();
      await log.close();
      folder = freshFolder();
      cutting.image(folder, { random, unsynced });
    }
    const file = join(folder, "s.jsonl");
    const log = open({ ...left, folder, file });
    expect({ seed, round, notes: notesIn(log) }).toEqual({ seed, round, notes: texts });
    expect(readFileSync(file)).toEqual(left.whole);
    await log.close();
  }
});
