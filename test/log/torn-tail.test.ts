import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SessionEvent } from "../../src/model/event.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import {
  appendNote,
  freshFolder,
  linesOf,
  notesOf,
  quarantined,
  readAll,
  readPath,
  sessionWith,
  verified,
} from "./damaged-session.ts";

const recovered = (events: readonly SessionEvent[]) =>
  events.filter((event) => event.type === "recovered");

test("a tail torn at every byte of the last lines: whole lines stay, the rest is set aside, appending goes on", async () => {
  const { file: whole } = await sessionWith(5);
  const bytes = readFileSync(whole);
  const lines = linesOf(whole);
  const keptBytes = Buffer.byteLength(lines.slice(0, 3).join("\n")) + 1;
  for (let cut = keptBytes; cut <= bytes.length; cut += 1) {
    const folder = freshFolder();
    const file = join(folder, "s.jsonl");
    writeFileSync(file, bytes.subarray(0, cut));
    const sound = bytes.subarray(0, cut).lastIndexOf("\n") + 1;
    const wholeLines = bytes.subarray(0, sound).toString().split("\n").length - 1;
    const tornBytes = cut - sound;

    const before = await readAll(file);
    expect(before.events.map(({ id }) => id)).toEqual(
      lines.slice(0, wholeLines).map((_, i) => i + 1),
    );
    expect(before.damage.map(({ kind }) => kind)).toEqual(tornBytes > 0 ? ["torn_tail"] : []);
    expect(readFileSync(file).length, "reading mends nothing").toBe(cut);

    const after = await appendNote(file);
    const { events, damage } = await readAll(file);
    expect(damage).toEqual([]);
    expect(verified(file)).toMatchObject({ problems: [], unverified: 0, unfinishedBytes: 0 });
    // The last byte is the newline: without it the event is whole, and is kept under a new number.
    const isWholeEvent = tornBytes > 0 && bytes[cut] === 0x0a;
    const said = tornBytes > 0 ? 1 : 0;
    expect(after.id).toBe(wholeLines + 1 + said + (isWholeEvent ? 1 : 0));
    expect(notesOf(events)).toEqual([
      ...Array.from({ length: wholeLines - 1 }, (_, i) => `note ${i + 2}`),
      ...(isWholeEvent ? [`note ${wholeLines + 1}`] : []),
      "after",
    ]);
    expect(recovered(events)).toHaveLength(said);
    if (tornBytes === 0) continue;
    expect(recovered(events)[0]).toMatchObject({
      bytes: tornBytes,
      recovered: isWholeEvent ? 1 : 0,
    });
    expect(quarantined(folder)).toEqual([bytes.subarray(sound, cut)]);
  }
});

test("a hole of NULs costs the lines it lies in: later events come back with recoveredFrom, and the log says so", async () => {
  const { folder, file } = await sessionWith(6);
  const bytes = readFileSync(file);
  const from = bytes.indexOf(`"note 4"`);
  const to = bytes.indexOf(`"note 5"`);
  bytes.fill(0, from, to);
  writeFileSync(file, bytes);

  const before = await readAll(file);
  expect(notesOf(before.events)).toEqual(["note 2", "note 3", "note 6", "note 7"]);
  expect(before.damage).toMatchObject([{ kind: "nul_run" }]);

  const after = await appendNote(file);
  const { events, damage } = await readAll(file);
  expect(damage).toEqual([]);
  expect(events.map(({ id, type, recoveredFrom }) => [id, type, recoveredFrom])).toEqual([
    [1, "session_start", undefined],
    [2, "note", undefined],
    [3, "note", undefined],
    [4, "recovered", undefined],
    [5, "note", 6],
    [6, "note", 7],
    [after.id, "note", undefined],
  ]);
  expect(events[3]).toMatchObject({ damaged: 1, recovered: 2 });
  expect(Buffer.concat([...quarantined(folder)]).includes(Buffer.alloc(to - from))).toBe(true);
  expect(verified(file).problems).toEqual([]);
});

test("numbers that recovered events point to move along with them", async () => {
  const { file } = await sessionWith(1);
  const session = SessionManager.open(file, { sync: "none" });
  session.appendSync({ type: "user", content: "goes into the hole" });
  const first = session.appendSync({ type: "user", content: "first" });
  const second = session.appendSync({ type: "user", content: "second" });
  session.appendSync({ type: "rewind", to: first.id, from: second.id });
  session.appendSync({ type: "compaction", summary: "sum", keepFrom: first.id });
  await session.close();
  const bytes = readFileSync(file);
  const at = bytes.indexOf("goes into the hole");
  bytes.fill(0, at, at + 18);
  writeFileSync(file, bytes);
  await appendNote(file);
  const { events } = await readAll(file);
  const idOf = (old: number) => events.find((event) => event.recoveredFrom === old)!.id;
  const rewind = events.find((event) => event.type === "rewind")!;
  expect(rewind).toMatchObject({
    to: idOf(first.id),
    from: idOf(second.id),
    parent: idOf(first.id),
  });
  expect(events.find((event) => event.type === "compaction")).toMatchObject({
    keepFrom: idOf(first.id),
  });
  expect(verified(file).problems).toEqual([]);
});

test.each([
  [
    "a line that is no JSON",
    (lines: string[]) => [...lines.slice(0, 3), "what is this", ...lines.slice(3)],
    [2, 3, 4, 5, 6, 7],
  ],
  [
    "two records on one line",
    (lines: string[]) => [...lines.slice(0, 3), lines[3]! + lines[4]!, ...lines.slice(5)],
    [2, 3, 4, 5, 6, 7],
  ],
  [
    "a torn record glued to the next",
    (lines: string[]) => [
      ...lines.slice(0, 3),
      lines[3]!.slice(0, 40) + lines[4]!,
      ...lines.slice(5),
    ],
    [2, 3, 5, 6, 7],
  ],
  [
    "a record torn inside its text and glued to the next",
    (lines: string[]) => [
      ...lines.slice(0, 3),
      lines[3]!.slice(0, lines[3]!.indexOf("note 4") + 3) + lines[4]!,
      ...lines.slice(5),
    ],
    [2, 3, 5, 6, 7],
  ],
])(
  "%s costs only itself, for readers, for the path and for the next writer",
  async (_what, damaged, kept) => {
    const { file } = await sessionWith(6);
    writeFileSync(
      file,
      damaged(linesOf(file))
        .map((line) => `${line}\n`)
        .join(""),
    );
    const texts = kept.map((id) => `note ${id}`);

    const before = await readAll(file);
    expect(notesOf(before.events)).toEqual(texts);
    expect(before.damage).toHaveLength(1);
    const path = await readPath(file);
    expect(path.ids).toEqual([1, ...kept]);
    expect(path.damage.length).toBeGreaterThan(0);
    expect(verified(file).problems.length).toBeGreaterThan(0);

    await appendNote(file);
    const after = await readAll(file);
    expect(notesOf(after.events)).toEqual([...texts, "after"]);
    expect(after.damage).toEqual([]);
    expect(recovered(after.events)).toHaveLength(1);
    expect(verified(file)).toMatchObject({ problems: [], unfinishedBytes: 0 });
  },
);

test("a torn line longer than what an opening writer verifies does not shut the session", async () => {
  const { folder, file } = await sessionWith(3);
  const torn = `{"id":5,"parent":4,"at":"2026-11-15T10:00:00.000Z","type":"note","content":"${"x".repeat(3_000_000)}`;
  appendFileSync(file, torn);
  expect((await appendNote(file)).id).toBe(6);
  expect(notesOf((await readAll(file)).events)).toEqual(["note 2", "note 3", "note 4", "after"]);
  expect(quarantined(folder)[0]!.toString()).toBe(torn);
});

test("recovered events keep the content they had in the blob store", async () => {
  const { folder, file } = await sessionWith(2);
  const large = `large ${"b".repeat(100_000)}`;
  await appendNote(file, "goes into the hole");
  await appendNote(file, large);
  const bytes = readFileSync(file);
  const at = bytes.indexOf("goes into the hole");
  bytes.fill(0, at, at + 18);
  writeFileSync(file, bytes);
  await appendNote(file);
  const { events, damage } = await readAll(file);
  expect(notesOf(events)).toEqual(["note 2", "note 3", large, "after"]);
  expect(damage).toEqual([]);
  expect(quarantined(folder)).toHaveLength(1);
});

test("a mending that failed for want of space is finished before anything else is written", async () => {
  const { folder, file } = await sessionWith(4);
  const bytes = readFileSync(file);
  const at = bytes.indexOf("note 3");
  bytes.fill(0, at, at + 6);
  writeFileSync(file, bytes);
  // The record of a mending whose process was killed, on a log that was cut already.
  const broken = bytes.subarray(0, at).lastIndexOf("\n") + 1;
  const sum = /"sum":"([0-9a-f]{16})"\}\n$/.exec(bytes.toString("latin1", 0, broken))![1];
  const place = join(folder, ".reprise", "quarantine");
  mkdirSync(place, { recursive: true });
  const heading = { session: "s", from: broken, after: sum, name: `s.${broken}.01234567.bin` };
  const record = Buffer.concat([
    Buffer.from(`${JSON.stringify(heading)}\n`),
    bytes.subarray(broken),
  ]);
  writeFileSync(join(place, "s.pending"), record);
  truncateSync(file, broken);

  const { events } = await readAll(file);
  expect(notesOf(events)).toEqual(["note 2", "note 4", "note 5"]);
  expect(existsSync(join(place, "s.pending"))).toBe(false);
  await appendNote(file);
  expect(verified(file).problems).toEqual([]);

  // The same record once more: what it would append is there, so nothing may be cut.
  writeFileSync(join(place, "s.pending"), record);
  await appendNote(file, "stays");
  expect(notesOf((await readAll(file)).events)).toEqual([
    "note 2",
    "note 4",
    "note 5",
    "after",
    "stays",
  ]);
});

test("the record of a mending does nothing to another session that took the name", async () => {
  const { folder, file } = await sessionWith(4);
  const place = join(folder, ".reprise", "quarantine");
  mkdirSync(place, { recursive: true });
  const stale = { session: "s", from: 150, after: "0123456789abcdef", name: "s.150.01234567.bin" };
  writeFileSync(join(place, "s.pending"), `${JSON.stringify(stale)}\nbytes of long ago\n`);
  copyFileSync(file, join(folder, "copy"));
  await appendNote(file);
  expect(readFileSync(file).subarray(0, readFileSync(join(folder, "copy")).length)).toEqual(
    readFileSync(join(folder, "copy")),
  );
  expect(readdirSync(place)).toEqual(["s.150.01234567.bin"]);
  expect(verified(file).problems).toEqual([]);
});

test("a fork of a session with a damaged end stands on the mended one, and stays whole when the base grows", async () => {
  const { folder, file } = await sessionWith(6);
  const bytes = readFileSync(file);
  bytes.fill(0, bytes.indexOf(`"note 3"`), bytes.indexOf(`"note 5"`));
  writeFileSync(file, bytes);
  const session = SessionManager.open(file, { sync: "none" });
  // Event 6 is still whole; mending gives it another number, which the fork must stand on.
  const fork = session.fork(6, { id: "f" });
  expect(fork.getHeader().base).toMatchObject({ event: 4 });
  fork.appendSync({ type: "note", content: "in the fork" });
  expect(() => session.fork(5_000)).toThrow(expect.objectContaining({ code: "not_found" }));
  session.appendSync({ type: "note", content: "in the base" });
  await session.close();
  await fork.close();
  const { events, damage } = await readAll(join(folder, "f.jsonl"));
  expect(notesOf(events)).toEqual(["note 2", "note 6", "in the fork"]);
  expect(damage).toEqual([]);
});
