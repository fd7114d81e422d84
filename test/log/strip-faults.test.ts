import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  fstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type Disk, disk, type Synced } from "../../src/base/disk.ts";
import { limits } from "../../src/base/limits.ts";
import { Durability } from "../../src/log/durability.ts";
import { LineEncoder } from "../../src/log/line.ts";
import { Strip } from "../../src/log/strip.ts";
import { FileLog } from "../../src/store/file-log.ts";
import { folderHome } from "../../src/store/home.ts";
import { freshFolder } from "./damaged-session.ts";

const enough = limits.stripAfterSyncs + 4;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
const note = (content: string) => [{ body: { type: "note", content } as const }];
const fileIn = (folder: string) => join(folder, "s.jsonl");
const stripIn = (folder: string) => join(folderHome(folder).strips, "s.strip");

function newLog(folder: string, on: Disk): FileLog {
  const start = { type: "session_start", format: 1, session: "s" } as const;
  const log = FileLog.create(folderHome(folder), fileIn(folder), start, { sync: "each", disk: on });
  for (const number of numbers(enough)) log.appendSync(note(number));
  expect(existsSync(stripIn(folder))).toBe(true);
  return log;
}

function notesIn(folder: string): readonly unknown[] {
  const log = FileLog.open(folderHome(folder), fileIn(folder));
  const notes = [...log.events()].flatMap((event) =>
    event.type === "note" ? [event.content] : [],
  );
  void log.close();
  return notes;
}

/** The real disk, which knows how much of the log was synced. */
function notingDisk(): { readonly disk: Disk; readonly syncedBytes: () => number } {
  let log = -1;
  let synced = 0;
  const noted = (fd: number): void => {
    if (fd === log) synced = fstatSync(fd).size;
  };
  const noting: Disk = {
    ...disk,
    openAppend: (path, options) => {
      const fd = disk.openAppend(path, options);
      if (path.endsWith("s.jsonl")) log = fd;
      return fd;
    },
    sync: (fd, done) => {
      noted(fd);
      disk.sync(fd, done);
    },
    syncNow: noted,
  };
  return { disk: noting, syncedBytes: () => synced };
}

/** What a power cut leaves: of the log what was synced, and the strip. */
function cutOff(folder: string, logBytes: number): string {
  const after = freshFolder();
  mkdirSync(folderHome(after).strips, { recursive: true });
  copyFileSync(stripIn(folder), stripIn(after));
  writeFileSync(fileIn(after), readFileSync(fileIn(folder)).subarray(0, logBytes));
  return after;
}

/** The writer looks at its file once in a millisecond. */
function waitForTheClock(): void {
  const now = Date.now();
  while (Date.now() === now);
}

test("after a line that another program wrote, appends are durable by the log at first", async () => {
  const folder = freshFolder();
  const noting = notingDisk();
  const log = newLog(folder, noting.disk);
  const sum = /"sum":"(\w+)"\}\n$/.exec(readFileSync(log.file, "utf8"))![1]!;
  const id = log.lastId() + 1;
  const frame = { id, parent: id - 1, at: "2026-11-17T00:00:00.000Z" };
  const body = { type: "note", content: "of another" } as const;
  appendFileSync(log.file, new LineEncoder().encode(frame, body, sum).bytes);
  waitForTheClock();
  const later = ["after 0", "after 1", "after 2"];
  for (const text of later) log.appendSync(note(text));
  const after = cutOff(folder, noting.syncedBytes());
  expect(notesIn(after)).toEqual([...numbers(enough), "of another", ...later]);
  await log.close();
});

test("after a short write that could not be cut off, appends are durable by the log at first", async () => {
  const folder = freshFolder();
  const noting = notingDisk();
  let isShort = false;
  const log = newLog(folder, {
    ...noting.disk,
    write: (fd, bytes) =>
      disk.write(fd, isShort ? bytes.subarray(0, bytes.indexOf(10) + 1) : bytes),
    truncate: (fd, size) => {
      if (isShort) throw Object.assign(new Error("io"), { code: "EIO" });
      disk.truncate(fd, size);
    },
  });
  isShort = true;
  expect(() => log.appendSync([...note("a"), ...note("b")])).toThrow(/Appending .* failed/);
  isShort = false;
  log.appendSync(note("acknowledged"));
  expect(notesIn(cutOff(folder, noting.syncedBytes()))).toContain("acknowledged");
  await log.close();
});

test("a record that was damaged before costs itself alone, also where a power cut came upon it", async () => {
  const folder = freshFolder();
  const noting = notingDisk();
  const log = newLog(folder, noting.disk);
  const after = cutOff(folder, noting.syncedBytes());
  const bytes = readFileSync(fileIn(after));
  bytes[bytes.indexOf('"n5"') + 5] = 0;
  writeFileSync(fileIn(after), bytes);
  expect(new Set(notesIn(after))).toEqual(new Set(numbers(enough).filter((text) => text !== "n5")));
  await log.close();
});

test("a log in which a line became shorter is not written over: nothing behind it is harmed", async () => {
  const folder = freshFolder();
  const log = newLog(folder, disk);
  const together = ["g0", "g1", "g2", "h0", "h1", "h2"];
  await Promise.all(together.slice(0, 3).map((text) => log.append(note(text))));
  await Promise.all(together.slice(3).map((text) => log.append(note(text))));
  const after = cutOff(folder, statSync(log.file).size);
  const lines = readFileSync(fileIn(after), "utf8").split("\n");
  const at = lines.findIndex((line) => line.includes('"n18"'));
  lines[at] = lines[at]!.slice(0, 30);
  writeFileSync(fileIn(after), lines.join("\n"));
  const others = [...numbers(enough), ...together].filter((text) => text !== "n18");
  expect(notesIn(after)).toEqual(expect.arrayContaining(others));
  await log.close();
});

test("a strip is removed by the one who made it only: another's has the same name", () => {
  const path = join(freshFolder(), "s.strip");
  const ours = Strip.create(path, disk)!;
  expect(ours.isOurs()).toBe(true);
  unlinkSync(path);
  const theirs = Strip.create(path, disk)!;
  expect(ours.isOurs()).toBe(false);
  ours.remove();
  expect(existsSync(path)).toBe(true);
  theirs.remove();
  expect(existsSync(path)).toBe(false);
  ours.close();
  theirs.close();
});

test("a writer whose strip was taken away is durable by the log", async () => {
  const folder = freshFolder();
  const noting = notingDisk();
  const log = newLog(folder, noting.disk);
  unlinkSync(stripIn(folder));
  for (const text of ["more", "and more"]) {
    waitForTheClock();
    log.appendSync(note(text));
    log.appendSync(note("at once"));
    expect(noting.syncedBytes()).toBe(statSync(log.file).size);
  }
  await log.close();
});

/** What a log's promises rest on, with syncs that wait to be told how they end. */
function heldDurability() {
  const folder = freshFolder();
  const waiting: { readonly name: string; readonly end: Synced }[] = [];
  const names = new Map<number, string>();
  const busy = new Set<string>();
  const closed: string[] = [];
  const named = (path: string, fd: number): number => {
    names.set(fd, basename(path));
    return fd;
  };
  const held: Disk = {
    ...disk,
    openUpdate: (path, options) => named(path, disk.openUpdate(path, options)),
    close: (fd) => {
      closed.push(`${names.get(fd)}${busy.has(names.get(fd)!) ? " while it is synced" : ""}`);
      disk.close(fd);
    },
    sync: (fd, done) => {
      const name = names.get(fd)!;
      busy.add(name);
      const end: Synced = (error) => {
        busy.delete(name);
        done(error);
      };
      waiting.push({ name, end });
    },
    syncNow: () => undefined,
  };
  const path = join(folder, "log");
  const fd = named(path, disk.openAppend(path, { create: true }));
  const durability = new Durability(held, {
    policy: "each",
    file: { fd, path },
    stripPath: stripIn(folder),
    isNamed: true,
  });
  let id = 0;
  const append = (): void => {
    id += 1;
    const event = { id, at: "", type: "note", content: "" } as const;
    durability.wrote([event], Buffer.from("line\n"));
  };
  for (let at = 0; at < enough; at += 1) {
    append();
    durability.syncNow();
  }
  const end = (name: string, error?: unknown): void => {
    const [found] = waiting.splice(
      waiting.findIndex((one) => one.name === name),
      1,
    );
    found!.end(error);
  };
  const settled = () => new Promise(setImmediate);
  return { durability, append, end, closed, settled, strip: stripIn(folder) };
}

test("where the log cannot be synced while a strip is given up, nothing is acknowledged after it", async () => {
  const { durability, append, end, settled, strip } = heldDurability();
  const aside = durability.layStripAside();
  await settled();
  append();
  end("log", Object.assign(new Error("io"), { code: "EIO" }));
  await aside;
  expect(() => durability.check()).toThrow(/did not confirm/);
  expect(existsSync(strip)).toBe(true);
});

test("of two syncs of the log at once a failed one counts for both", async () => {
  const { durability, append, end, settled } = heldDurability();
  const aside = durability.layStripAside();
  await settled();
  durability.leaveStrip();
  append();
  const told = new Promise((resolve) => durability.whenSynced(resolve));
  await settled();
  end("log", Object.assign(new Error("io"), { code: "EIO" }));
  await aside;
  end("log");
  expect(await told).toMatchObject({ code: "sync_failed" });
});

test("a strip is not closed while it is synced", async () => {
  const { durability, append, end, settled, closed, strip } = heldDurability();
  append();
  const first = new Promise<void>((resolve) => {
    durability.whenSynced(() => {
      append();
      durability.whenSynced(() => resolve());
    });
  });
  await settled();
  const aside = durability.layStripAside();
  end("s.strip");
  await settled();
  end("log");
  await settled();
  expect(closed).toEqual([]);
  end("s.strip");
  await first;
  await aside;
  expect(closed).toEqual(["s.strip"]);
  expect(existsSync(strip)).toBe(false);
});

test("a reader that put something back keeps nobody from writing", async () => {
  const folder = freshFolder();
  const log = newLog(folder, disk);
  const after = cutOff(folder, statSync(log.file).size - 20);
  const reader = FileLog.open(folderHome(after), fileIn(after));
  expect(readdirSync(folderHome(after).leases)).toEqual([]);
  await reader.close();
  await log.close();
});

test("a process that ends without closing its session leaves no strip", () => {
  const folder = freshFolder();
  const program = `import { SessionManager } from "reprise";
    import { existsSync } from "node:fs";
    const session = SessionManager.create(${JSON.stringify(folder)}, ${JSON.stringify(folder)}, { id: "s", sync: "each" });
    for (let at = 0; at < ${enough}; at += 1) await session.note(String(at));
    process.stdout.write(String(existsSync(${JSON.stringify(stripIn(folder))})));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    encoding: "utf8",
  });
  expect({ stdout, stderr }).toEqual({ stdout: "true", stderr: "" });
  expect(existsSync(stripIn(folder))).toBe(false);
  expect(notesIn(folder)).toHaveLength(enough);
});
