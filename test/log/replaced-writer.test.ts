import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Disk } from "../../src/base/disk.ts";
import { thisHolder } from "../../src/base/holder.ts";
import { limits } from "../../src/base/limits.ts";
import { encodeBody, LineEncoder, sumOf } from "../../src/log/line.ts";
import type { EventBody } from "../../src/model/event.ts";
import { FileLog, type FileLogOptions } from "../../src/store/file-log.ts";
import { folderHome } from "../../src/store/home.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import {
  appendNote,
  linesOf,
  notesOf,
  quickDisk,
  readAll,
  readPath,
  sessionWith,
  verified,
} from "./damaged-session.ts";

const code = (name: string) => expect.objectContaining({ code: name });
const note = (content: string) => [{ body: { type: "note", content } as const }];

function openLog(file: string, options: FileLogOptions = {}): FileLog {
  return FileLog.open(folderHome(join(file, "..")), file, { disk: quickDisk, ...options });
}

/** Somebody far away takes the lease, whatever number that needs. */
function takeOver(folder: string, number = 7): string {
  const place = join(folder, ".reprise", "writers", "s");
  mkdirSync(place, { recursive: true });
  const path = join(place, `s.lease.${number}`);
  writeFileSync(path, JSON.stringify({ ...thisHolder(), host: "elsewhere", nonce: "n" }));
  return path;
}

/** The lines that a writer writes that knows the log as far as a line. */
function linesAfter(line: string, ...bodies: readonly EventBody[]): string {
  const encoder = new LineEncoder();
  let { id } = JSON.parse(line) as { id: number };
  let sum = sumOf(Buffer.from(line))!;
  let text = "";
  for (const body of bodies) {
    const frame = { id: id + 1, parent: id, at: "2026-11-15T10:00:00.000Z" };
    const next = encoder.encode(frame, encodeBody(body), sum);
    text += next.bytes.toString();
    ({ sum } = next);
    id += 1;
  }
  return text;
}

/** A disk on which something happens right before or after a write of the log. */
function disturbed(when: "before" | "after", happens: () => void): Disk {
  let isDue = true;
  const once = (which: string) => {
    if (which !== when || !isDue) return;
    isDue = false;
    happens();
  };
  return {
    ...quickDisk,
    write: (fd, bytes) => {
      const isLine = bytes.subarray(0, 6).toString() === '{"id":';
      if (isLine) once("before");
      const taken = quickDisk.write(fd, bytes);
      if (isLine) once("after");
      return taken;
    },
  };
}

test.each(["before", "after"] as const)(
  "an append whose lease is taken right %s it writes is refused with lease_lost, and the next one waits for the successor",
  async (when) => {
    for (const sync of ["none", "each"] as const) {
      for (const isAsync of [false, true]) {
        const { folder, file } = await sessionWith(2);
        let lease = "";
        const disk = disturbed(when, () => {
          lease = takeOver(folder);
        });
        const log = openLog(file, { disk, sync, waitMs: 10 });
        const append = async (text: string) =>
          isAsync ? log.append(note(text)) : log.appendSync(note(text));
        await expect(append("doubtful")).rejects.toThrow(code("lease_lost"));
        await expect(append("waits")).rejects.toThrow(code("session_busy"));
        rmSync(lease);
        expect((await append("kept")).at(0)?.id).toBe(5);
        await log.close();
        expect(notesOf((await readAll(file)).events).at(-1)).toBe("kept");
        expect(verified(file).problems).toEqual([]);
      }
    }
  },
);

test("a lease that is lost while the disk syncs is noticed before the append is acknowledged", async () => {
  const { folder, file } = await sessionWith(2);
  const disk: Disk = {
    ...quickDisk,
    sync: (_, done) => {
      takeOver(folder);
      queueMicrotask(done);
    },
  };
  const log = openLog(file, { disk, sync: "each", waitMs: 10 });
  await expect(log.append(note("doubtful"))).rejects.toThrow(code("lease_lost"));
  await log.close();
});

test("a writer that was silent for long takes the lease again before it writes, and says nothing of it", async () => {
  const { file } = await sessionWith(2);
  const log = openLog(file, { sync: "none" });
  log.appendSync(note("before"));
  const real = Date.now;
  onTestFinished(() => {
    Date.now = real;
  });
  Date.now = () => real() + limits.leaseStaleMs + 1_000;
  expect(log.appendSync(note("after"))[0]!.id).toBe(5);
  await log.close();
  expect(verified(file).problems).toEqual([]);
});

test("a loop that never lets timers run beats all the same", async () => {
  const { folder, file } = await sessionWith(1);
  const log = openLog(file, { sync: "none", leaseStaleMs: 6_000 });
  log.appendSync(note("first"));
  const lease = join(folder, ".reprise", "writers", "s", "s.lease.1");
  const firstMs = statSync(lease).mtimeMs;
  const endMs = performance.now() + 1_500;
  while (performance.now() < endMs) log.appendSync(note("more"));
  expect(statSync(lease).mtimeMs - firstMs).toBeGreaterThan(900);
  expect(Date.now() - statSync(lease).mtimeMs).toBeLessThan(3_000);
  await log.close();
});

test("staleness and idle time are options of a session, within bounds", async () => {
  const { folder, file } = await sessionWith(1);
  const session = SessionManager.open(file, { sync: "none", leaseStaleMs: 400, leaseIdleMs: 40 });
  session.appendSync({ type: "note", content: "x" });
  const place = join(folder, ".reprise", "writers", "s");
  expect(JSON.parse(readFileSync(join(place, "s.lease.1"), "utf8"))).toMatchObject({
    staleMs: 400,
  });
  await expect.poll(() => readdirSync(place), { timeout: 5_000 }).toEqual([]);
  await session.close();
  expect(readdirSync(join(place, ".."))).toEqual([]);
  for (const options of [
    { leaseStaleMs: 1 },
    { leaseIdleMs: Number.NaN },
    { leaseStaleMs: 1e12 },
  ]) {
    const other = SessionManager.open(file, options);
    expect(() => other.appendSync({ type: "note", content: "x" })).toThrow(code("bad_input"));
    await other.close();
  }
});

test("whole lines of a writer that was replaced become recovered events: nothing acknowledged moves, no number is read twice", async () => {
  const { file } = await sessionWith(6);
  const lines = linesOf(file);
  // It knew the log up to event 5, and wrote in the middle of what its successor wrote.
  const strays = linesAfter(
    lines[4]!,
    { type: "note", content: "stray 6" },
    { type: "rewind", to: 2, from: 5 },
    { type: "note", content: "stray 8" },
    { type: "note", content: "stray 9" },
  );
  const successor = linesAfter(lines[6]!, { type: "note", content: "note 8" });
  for (const behind of ["", successor]) {
    writeFileSync(file, lines.map((line) => `${line}\n`).join("") + strays + behind);
    const before = await readAll(file);
    const kept = behind === "" ? [2, 3, 4, 5, 6, 7] : [2, 3, 4, 5, 6, 7, 8];
    expect(notesOf(before.events)).toEqual(kept.map((id) => `note ${id}`));
    expect(before.damage.map(({ kind }) => kind)).toEqual(Array(4).fill("duplicate_id"));

    const last = kept.at(-1)!;
    expect((await appendNote(file)).id).toBe(last + 6);
    const { events, damage } = await readAll(file);
    expect(damage).toEqual([]);
    expect(events.map(({ id }) => id)).toEqual(Array.from({ length: last + 6 }, (_, i) => i + 1));
    expect(events.slice(last).map(({ type, recoveredFrom }) => [type, recoveredFrom])).toEqual([
      ["recovered", undefined],
      ["note", 6],
      // What it said about where the session stands comes too late.
      ["custom", 7],
      ["note", 8],
      ["note", 9],
      ["note", undefined],
    ]);
    expect((await readPath(file)).ids).toEqual(events.map(({ id }) => id));
    expect(verified(file)).toMatchObject({ problems: [], unverified: 0, unfinishedBytes: 0 });
  }
});

test("a session that only a replaced writer's line ends is read without it, from either end", async () => {
  const { file } = await sessionWith(4);
  const lines = linesOf(file);
  appendFileSync(file, linesAfter(lines[1]!, { type: "note", content: "stray" }));
  expect((await readPath(file)).ids).toEqual([1, 2, 3, 4, 5]);
  const log = openLog(file);
  expect(log.lastId()).toBe(5);
  expect(notesOf([...log.events({ reverse: true })])).not.toContain("stray");
  await log.close();
});

test("who holds the lease when a replaced writer's line comes sets it right before giving the lease back", async () => {
  const { file } = await sessionWith(3);
  const lines = linesOf(file);
  const log = openLog(file, { sync: "none" });
  log.appendSync(note("mine"));
  appendFileSync(file, linesAfter(lines[1]!, { type: "note", content: "stray" }));
  await log.close();
  const { events, damage } = await readAll(file);
  expect(damage).toEqual([]);
  expect(notesOf(events)).toEqual(["note 2", "note 3", "note 4", "mine", "stray"]);
  expect(verified(file).problems).toEqual([]);
});

test("mending cuts nothing off: what another process wrote while one was stopped in the middle of it stays", async () => {
  const { file } = await sessionWith(3);
  appendFileSync(file, '{"id":5,"torn');
  const size = statSync(file).size;
  let isStopped = false;
  const truncated: number[] = [];
  const slow: Disk = {
    ...quickDisk,
    truncate: (fd, to) => {
      truncated.push(to);
      quickDisk.truncate(fd, to);
    },
    writeAt: (fd, bytes, position) => {
      const taken = quickDisk.writeAt(fd, bytes, position);
      // Right after its first step: another mends the same end, and writes.
      if (!isStopped)
        appendFileSync(file, linesAfter(linesOf(file)[3]!, { type: "note", content: "other" }));
      isStopped = true;
      return taken;
    },
  };
  const log = openLog(file, { disk: slow, sync: "none" });
  log.appendSync(note("mine"));
  await log.close();
  expect(truncated).toEqual([]);
  expect(statSync(file).size).toBeGreaterThan(size);
  const { events, damage } = await readAll(file);
  expect(notesOf(events)).toEqual(expect.arrayContaining(["note 4", "other", "mine"]));
  expect(damage).toEqual([]);
  expect(verified(file)).toMatchObject({ problems: [], unfinishedBytes: 0 });
});

test("a short write is cut off only under the lease, and only where nobody wrote behind it", async () => {
  for (const loses of [false, true]) {
    const { folder, file } = await sessionWith(2);
    const before = readFileSync(file);
    let isFull = true;
    const disk: Disk = {
      ...quickDisk,
      write: (fd, bytes) => {
        if (!isFull) return quickDisk.write(fd, bytes);
        if (loses) takeOver(folder);
        quickDisk.write(fd, bytes.subarray(0, 20));
        throw Object.assign(new Error("no space"), { code: "ENOSPC" });
      },
    };
    const log = openLog(file, { disk, sync: "none", waitMs: 0 });
    expect(() => log.appendSync(note("lost"))).toThrow(code("write_failed"));
    expect(readFileSync(file).equals(before)).toBe(!loses);
    isFull = false;
    if (loses) rmSync(join(folder, ".reprise", "writers", "s"), { recursive: true });
    log.appendSync(note("kept"));
    await log.close();
    expect(notesOf((await readAll(file)).events)).toEqual(["note 2", "note 3", "kept"]);
    expect(verified(file).problems).toEqual([]);
  }
});
