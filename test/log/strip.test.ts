import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { type Disk, disk } from "../../src/base/disk.ts";
import { limits } from "../../src/base/limits.ts";
import { Durability } from "../../src/log/durability.ts";
import { FileLog } from "../../src/store/file-log.ts";
import { folderHome } from "../../src/store/home.ts";
import { removeSession } from "../../src/store/remove.ts";
import { freshFolder, quickDisk } from "./damaged-session.ts";

/** So many appends, each synced alone, that the last ones are durable by a strip. */
const enough = limits.stripAfterSyncs + 8;

const note = (content: string) => [{ body: { type: "note", content } as const }];

function newLog(folder: string, options: Parameters<typeof FileLog.create>[3] = {}): FileLog {
  const start = { type: "session_start", format: 1, session: "s" } as const;
  return FileLog.create(folderHome(folder), join(folder, "s.jsonl"), start, {
    sync: "each",
    ...options,
  });
}

function notesIn(log: FileLog): readonly unknown[] {
  return [...log.events()].flatMap((event) => (event.type === "note" ? [event.content] : []));
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

const stripOf = (folder: string) => join(folderHome(folder).strips, "s.strip");

/** What a power cut leaves of a session whose log was never synced since its strip was made. */
function cutOff(folder: string, options: { readonly logBytes: number }): string {
  const after = freshFolder();
  mkdirSync(folderHome(after).strips, { recursive: true });
  copyFileSync(stripOf(folder), stripOf(after));
  copyFileSync(join(folder, "s.jsonl"), join(after, "s.jsonl"));
  truncateSync(join(after, "s.jsonl"), options.logBytes);
  return after;
}

async function withStrip(): Promise<{
  readonly folder: string;
  readonly log: FileLog;
  readonly syncedBytes: number;
}> {
  const folder = freshFolder();
  const log = newLog(folder);
  for (const number of numbers(limits.stripAfterSyncs)) await log.append(note(number));
  const syncedBytes = statSync(log.file).size;
  for (const number of numbers(enough).slice(limits.stripAfterSyncs))
    await log.append(note(number));
  return { folder, log, syncedBytes };
}

test("appends that each wait for the disk alone get a strip, which goes when the session is closed", async () => {
  const { folder, log } = await withStrip();
  expect(statSync(stripOf(folder))).toMatchObject({ size: limits.stripBytes, mode: 0o100600 });
  await log.close();
  expect(readdirSync(dirname(stripOf(folder)))).toEqual([]);
});

test("neither few appends nor short leases nor other policies nor many at once make a strip", async () => {
  for (const options of [
    { sync: "each" },
    { sync: "each", leasePerAppend: true },
    { sync: "turn" },
    { sync: "none" },
  ] as const) {
    const folder = freshFolder();
    const log = newLog(folder, options);
    const isFew = options.sync === "each" && !("leasePerAppend" in options);
    const count = isFew ? limits.stripAfterSyncs - 1 : enough;
    for (const number of numbers(count)) log.appendSync(note(number));
    for (let burst = 0; burst < enough; burst += 1)
      await Promise.all(numbers(3).map((number) => log.append(note(number))));
    expect(existsSync(stripOf(folder))).toBe(false);
    await log.close();
  }
});

test("what a power cut took from the log comes back from the strip, byte for byte, also for a reader", async () => {
  const { folder, log, syncedBytes } = await withStrip();
  const whole = readFileSync(log.file);
  for (const logBytes of [syncedBytes, syncedBytes + 1, syncedBytes + 200, whole.length - 1]) {
    const after = cutOff(folder, { logBytes });
    const read = FileLog.open(folderHome(after), join(after, "s.jsonl"));
    expect(notesIn(read)).toEqual(numbers(enough));
    expect(readFileSync(read.file)).toEqual(whole);
    expect(existsSync(stripOf(after))).toBe(false);
    await read.close();
  }
  await log.close();
});

test("holes of NULs in the log are filled from the strip", async () => {
  const { folder, log, syncedBytes } = await withStrip();
  const whole = readFileSync(log.file);
  const after = cutOff(folder, { logBytes: whole.length });
  const holed = Buffer.from(whole);
  holed.fill(0, syncedBytes + 40, syncedBytes + 300);
  writeFileSync(join(after, "s.jsonl"), holed);
  const next = FileLog.open(folderHome(after), join(after, "s.jsonl"));
  next.appendSync(note("next"));
  expect(notesIn(next)).toEqual([...numbers(enough), "next"]);
  expect(readFileSync(next.file).subarray(0, whole.length)).toEqual(whole);
  await next.close();
  await log.close();
});

test("a session that rests gives its strip up before its lease", async () => {
  const { folder, log } = await withStrip();
  const leases = () => readdirSync(folderHome(folder).leases).length;
  const seen: string[] = [];
  await vi.waitFor(
    () => {
      seen.push(`${existsSync(stripOf(folder))} ${leases()}`);
      expect(seen.at(-1)).toBe("false 0");
    },
    { timeout: 10_000, interval: 1 },
  );
  expect(seen).not.toContain("true 0");
  await log.append(note("more"));
  expect(notesIn(log)).toEqual([...numbers(enough), "more"]);
  await log.close();
});

test("a strip stays where something is appended while it is given up", async () => {
  const folder = freshFolder();
  const { disk: watched, finishSync } = watchedDisk();
  const path = join(folder, "log");
  const fd = watched.openAppend(path, { create: true });
  const strip = stripOf(folder);
  const durability = new Durability(watched, {
    policy: "each",
    file: { fd, path },
    stripPath: strip,
    isNamed: true,
  });
  const append = (id: number) => {
    const event = { id, at: "", type: "note", content: "" } as const;
    durability.wrote([event], Buffer.from("line\n"));
  };
  for (const number of numbers(enough)) {
    append(Number(number) + 1);
    durability.syncNow();
  }
  expect(existsSync(strip)).toBe(true);
  for (const isInterrupted of [true, false]) {
    const aside = durability.layStripAside();
    await new Promise(setImmediate);
    if (isInterrupted) append(enough + 1);
    finishSync();
    await aside;
    expect(existsSync(strip)).toBe(isInterrupted);
  }
  watched.close(fd);
});

test("a strip that was written over many times still gives back what it holds last", async () => {
  const folder = freshFolder();
  const log = newLog(folder, { disk: quickDisk });
  const large = "x".repeat(limits.stripBytes / 40);
  const texts = numbers(enough + 200).map((number) => `${number} ${large.slice(Number(number))}`);
  for (const text of texts) log.appendSync(note(text));
  const lost = readFileSync(log.file).lastIndexOf("\n{");
  const after = cutOff(folder, { logBytes: lost + 1 });
  const read = FileLog.open(folderHome(after), join(after, "s.jsonl"));
  expect(notesIn(read)).toEqual(texts);
  await read.close();
  await log.close();
});

test("a reader leaves the strip of a live writer alone", async () => {
  const { folder, log } = await withStrip();
  const reader = FileLog.open(folderHome(folder), log.file);
  expect(notesIn(reader)).toEqual(numbers(enough));
  await reader.close();
  expect(existsSync(stripOf(folder))).toBe(true);
  await log.append(note("more"));
  await log.close();
});

test("a strip that does not fit onto its log is put aside, not thrown away", async () => {
  const { folder, log, syncedBytes } = await withStrip();
  const after = cutOff(folder, { logBytes: syncedBytes });
  const bytes = readFileSync(join(after, "s.jsonl"));
  const shorter = bytes.lastIndexOf("\n", bytes.length - 2) + 1;
  truncateSync(join(after, "s.jsonl"), shorter);
  const strip = readFileSync(stripOf(after));
  const next = FileLog.open(folderHome(after), join(after, "s.jsonl"));
  next.appendSync(note("next"));
  expect(notesIn(next)).toEqual([...numbers(limits.stripAfterSyncs - 1), "next"]);
  await next.close();
  const { quarantine } = folderHome(after);
  const [aside] = readdirSync(quarantine).filter((name) => name.endsWith(".strip"));
  expect(readFileSync(join(quarantine, aside!))).toEqual(strip);
  await log.close();
});

test("a log that was changed by hand is not written over", async () => {
  const { folder, log } = await withStrip();
  const after = cutOff(folder, { logBytes: statSync(log.file).size });
  const bytes = readFileSync(join(after, "s.jsonl"));
  const changed = bytes.toString().replace(`"content":"${enough - 3}"`, '"content":"by hand"');
  writeFileSync(join(after, "s.jsonl"), changed);
  const next = FileLog.open(folderHome(after), join(after, "s.jsonl"));
  expect(readFileSync(next.file, "utf8")).toBe(changed);
  expect(readdirSync(folderHome(after).quarantine)).toHaveLength(1);
  await next.close();
  await log.close();
});

test("what is no strip of ours, or an empty one, changes nothing and goes", async () => {
  for (const content of ["", "no strip\n", "\0".repeat(limits.stripBytes)]) {
    const folder = freshFolder();
    const log = newLog(folder);
    await log.append(note("kept"));
    await log.close();
    const whole = readFileSync(log.file);
    mkdirSync(folderHome(folder).strips, { recursive: true });
    writeFileSync(stripOf(folder), content);
    const again = FileLog.open(folderHome(folder), log.file);
    expect(notesIn(again)).toEqual(["kept"]);
    expect(readFileSync(log.file)).toEqual(whole);
    expect(existsSync(stripOf(folder))).toBe(false);
    await again.close();
  }
});

test("the copy that is kept of a removed session has what only its strip had", async () => {
  const { folder, log, syncedBytes } = await withStrip();
  const after = cutOff(folder, { logBytes: syncedBytes });
  const { archive } = removeSession(folderHome(after), join(after, "s.jsonl"));
  expect(gunzipSync(readFileSync(archive!))).toEqual(readFileSync(log.file));
  expect(existsSync(stripOf(after))).toBe(false);
  await log.close();
});

/** The real disk, which notes what is synced and removed, and waits to be told when a sync is over. */
function watchedDisk() {
  const names = new Map<number, string>();
  const opened = (path: string, fd: number) => {
    names.set(fd, basename(path));
    return fd;
  };
  const told: string[] = [];
  const waiting: (() => void)[] = [];
  const watched: Disk = {
    ...disk,
    openAppend: (path, options) => opened(path, disk.openAppend(path, options)),
    openUpdate: (path, options) => opened(path, disk.openUpdate(path, options)),
    sync: (fd, done) => {
      told.push(`sync ${names.get(fd)}`);
      waiting.push(() => done());
    },
    syncNow: (fd) => void told.push(`sync ${names.get(fd)}`),
    remove: (path) => {
      if (basename(path) === "s.strip") told.push("remove s.strip");
      disk.remove(path);
    },
  };
  return { disk: watched, told, finishSync: () => waiting.shift()!() };
}

test("a log is durable before the strip that a killed writer left beside it goes", async () => {
  const { folder, log } = await withStrip();
  const after = cutOff(folder, { logBytes: statSync(log.file).size });
  await log.close();
  const { disk: watched, told } = watchedDisk();
  const next = FileLog.open(folderHome(after), join(after, "s.jsonl"), { disk: watched });
  expect(told.slice(0, 2)).toEqual(["sync s.jsonl", "remove s.strip"]);
  expect(notesIn(next)).toEqual(numbers(enough));
  await next.close();
});

test("what is appended while the log is synced is durable by the log, not by a strip it is not in", async () => {
  const folder = freshFolder();
  const { disk: watched, told, finishSync } = watchedDisk();
  const log = newLog(folder, { disk: watched });
  for (const number of numbers(enough)) log.appendSync(note(number));
  const alone = log.append(note("alone"));
  await Promise.resolve();
  finishSync();
  await alone;
  expect(told.at(-1)).toBe("sync s.strip");
  // It finds no room in the strip, so the log itself is synced.
  const first = log.append(
    note("x".repeat(limits.stripBytes / 4)).concat(
      ...numbers(3).map((n) => note(n.repeat(limits.stripBytes / 4))),
    ),
  );
  const second = log.append(note("second"));
  expect(told.at(-1)).toBe("sync s.jsonl");
  finishSync();
  await first;
  expect(told.at(-1)).toBe("sync s.jsonl");
  finishSync();
  await second;
  const third = log.append(note("third"));
  expect(told.slice(-3)).toEqual(["sync s.jsonl", "sync s.jsonl", "sync s.strip"]);
  finishSync();
  await third;
  const closing = log.close();
  while (told.at(-1) !== "sync s.jsonl") await new Promise(setImmediate);
  finishSync();
  await closing;
  expect(told.at(-1)).toBe("remove s.strip");
});

test("where no strip can be made, appends are durable by the log", async () => {
  const folder = freshFolder();
  const noRoom = () => {
    throw Object.assign(new Error("no room"), { code: "ENOSPC" });
  };
  const log = newLog(folder, { disk: { ...disk, openUpdate: noRoom } });
  for (const number of numbers(enough)) await log.append(note(number));
  expect(notesIn(log)).toEqual(numbers(enough));
  await log.close();
});

test("a strip that fails to sync poisons the session, and what it holds stays for the next one", async () => {
  const folder = freshFolder();
  let isFailing = false;
  const failing = Object.assign(new Error("io"), { code: "EIO" });
  const log = newLog(folder, {
    disk: {
      ...disk,
      sync: (fd, done) => (isFailing ? setImmediate(() => done(failing)) : disk.sync(fd, done)),
    },
  });
  for (const number of numbers(enough)) await log.append(note(number));
  isFailing = true;
  await expect(log.append(note("doubtful"))).rejects.toMatchObject({ code: "sync_failed" });
  await expect(log.append(note("refused"))).rejects.toMatchObject({ code: "sync_failed" });
  await log.close();
  expect(existsSync(stripOf(folder))).toBe(true);
  const again = FileLog.open(folderHome(folder), log.file);
  expect(notesIn(again)).toEqual([...numbers(enough), "doubtful"]);
  expect(existsSync(stripOf(folder))).toBe(false);
  await again.close();
});
