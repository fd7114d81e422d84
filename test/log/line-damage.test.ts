import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { encodeBody, LineEncoder } from "../../src/log/line.ts";
import type { EventBody } from "../../src/model/event.ts";
import { FileLog } from "../../src/store/file-log.ts";
import { folderHome } from "../../src/store/home.ts";
import { listHeads } from "../../src/store/list.ts";
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
  writeLines,
} from "./damaged-session.ts";

const notes = (...ids: readonly number[]) => ids.map((id) => `note ${id}`);
const kinds = (damage: readonly { readonly kind: string }[]) => damage.map(({ kind }) => kind);

test("a byte order mark before the first line hides nothing; verify tells of it", async () => {
  const { file } = await sessionWith(3);
  writeFileSync(file, Buffer.concat([Buffer.from("\ufeff"), readFileSync(file)]));
  const { events, damage } = await readAll(file);
  expect(notesOf(events)).toEqual(notes(2, 3, 4));
  expect(damage).toEqual([]);
  expect((await readPath(file)).ids).toEqual([1, 2, 3, 4]);
  expect((await appendNote(file)).id).toBe(5);
  expect(kinds(verified(file).problems)).toEqual(["bad_record"]);
});

test("lines that an editor ended with CR LF are read, chained onto, and told by verify", async () => {
  const { file } = await sessionWith(3);
  writeFileSync(file, readFileSync(file, "utf8").replaceAll("\n", "\r\n"));
  const { events, damage } = await readAll(file);
  expect(notesOf(events)).toEqual(notes(2, 3, 4));
  expect(damage).toEqual([]);
  expect((await appendNote(file)).id).toBe(5);
  const { problems, events: checked } = verified(file);
  expect(checked).toBe(5);
  expect(problems).toHaveLength(4);
  expect(problems[0]).toMatchObject({
    kind: "bad_record",
    detail: expect.stringContaining("carriage"),
  });
});

test("U+2028, U+2029 and NUL inside a text are text, not the end of a line", async () => {
  const { file } = await sessionWith(0);
  const content = "one\u2028two\u2029three\u0000four\u0085five";
  await appendNote(file, content);
  expect(linesOf(file)).toHaveLength(2);
  expect(notesOf((await readAll(file)).events)).toEqual([content]);
  expect(verified(file).problems).toEqual([]);
});

test("lone surrogates are made well-formed before they are written", async () => {
  const { file } = await sessionWith(0);
  await appendNote(file, "a\ud800b \udc00 \ud83d\ude00");
  expect(notesOf((await readAll(file)).events)).toEqual(["a\ufffdb \ufffd \u{1f600}"]);
  expect(verified(file).problems).toEqual([]);
});

test("bytes that are no UTF-8 cost those characters; the event stays and is told", async () => {
  const { file } = await sessionWith(3);
  const bytes = readFileSync(file);
  bytes[bytes.indexOf("note 3")] = 0xff;
  writeFileSync(file, bytes);
  const { events, damage } = await readAll(file);
  expect(notesOf(events)).toEqual(["note 2", "\ufffdote 3", "note 4"]);
  expect(kinds(damage)).toEqual(["bad_utf8"]);
  expect(kinds(verified(file).problems)).toEqual(["bad_utf8"]);
  expect((await appendNote(file)).id).toBe(5);
  expect(readFileSync(file).subarray(0, bytes.length)).toEqual(bytes);
});

test("a line with a wrong sum was changed by someone: it is kept, and verify tells where", async () => {
  const { file } = await sessionWith(4);
  const before = readFileSync(file, "utf8").replace("note 3", "note X");
  writeFileSync(file, before);
  expect(notesOf((await readAll(file)).events)).toEqual(["note 2", "note X", "note 4", "note 5"]);
  expect(verified(file)).toMatchObject({
    events: 5,
    problems: [{ kind: "bad_sum", detail: "event 3", offset: before.indexOf('{"id":3') }],
  });
  expect((await appendNote(file)).id).toBe(6);
  expect(readFileSync(file, "utf8").startsWith(before)).toBe(true);
  expect(verified(file).problems).toHaveLength(1);
});

test("a lost line is found by the number and the sum of the next one", async () => {
  const { file } = await sessionWith(4);
  writeLines(file, linesOf(file).toSpliced(2, 1));
  expect(kinds(verified(file).problems).sort()).toEqual(["bad_id", "bad_sum"]);
  const { ids, damage } = await readPath(file);
  expect(ids).toEqual([1, 2, 4, 5]);
  expect(damage).toMatchObject([{ kind: "missing_parent", detail: "event 3" }]);
});

test("a line written twice is told, read once, set aside by the next writer, and its number is not given again", async () => {
  const { file } = await sessionWith(3);
  const lines = linesOf(file);
  writeLines(file, [...lines, lines[2]!]);
  expect(kinds(verified(file).problems)).toContain("duplicate_id");
  const before = await readAll(file);
  expect(before.events.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  expect(kinds(before.damage)).toEqual(["duplicate_id"]);
  expect((await readPath(file)).ids).toEqual([1, 2, 3, 4]);
  expect((await appendNote(file)).id).toBe(6);
  const { events, damage } = await readAll(file);
  expect(notesOf(events)).toEqual(["note 2", "note 3", "note 4", "after"]);
  expect(damage).toEqual([]);
  expect(verified(file).problems).toEqual([]);
});

test("an unknown type is kept as it is and never reaches a model", async () => {
  const { file } = await sessionWith(1);
  const session = SessionManager.open(file, { sync: "none" });
  const strange = { type: "hologram", depth: { of: [1, 2, 3] } };
  session.appendSync(strange as never);
  session.appendSync({ type: "user", content: "hello" });
  expect((await readAll(file)).events[2]).toMatchObject(strange);
  expect(JSON.stringify(session.buildSessionContext().messages)).not.toContain("hologram");
  await session.close();
  expect(verified(file).problems).toEqual([]);
});

test.each([
  ["itself", 4, "cycle"],
  ["a later event", 5, "cycle"],
  ["an event nobody wrote", 900, "cycle"],
  ["a number below the first", 0, "missing_parent"],
  ["a fraction", 2.5, "missing_parent"],
])("a parent that is %s does not hold the walk up, and is told", async (_what, parent, kind) => {
  const { file } = await sessionWith(4);
  const lines = linesOf(file);
  lines[3] = lines[3]!.replace('"parent":3', `"parent":${parent}`);
  writeLines(file, lines);
  const path = await readPath(file);
  expect(path.ids[0]).toBe(parent === 0 ? 4 : 1);
  expect(path.ids.at(-1)).toBe(5);
  if (parent !== 0) expect(path.damage).toHaveLength(1);
  expect(kinds(verified(file).problems).sort()).toEqual(["bad_sum", kind].sort());
  expect(notesOf((await readAll(file)).events)).toEqual(notes(2, 3, 4, 5));
});

test("a damaged first line: the events are read, the loss is told, a fork goes on, the file is left alone", async () => {
  const { folder, file } = await sessionWith(3);
  const lines = linesOf(file);
  writeLines(file, [lines[0]!.slice(0, 50), ...lines.slice(1)]);
  const bytes = readFileSync(file);
  const { events, damage } = await readAll(file);
  expect(notesOf(events)).toEqual(notes(2, 3, 4));
  expect(kinds(damage)).toEqual(["bad_header", "bad_json"]);
  await expect(appendNote(file)).rejects.toMatchObject({ code: "damaged" });
  expect(listHeads(folderHome(folder))[0]).toMatchObject({
    session: "s",
    problem: expect.any(String),
  });
  const log = SessionManager.open(file);
  const fork = log.fork(undefined, { id: "f" });
  fork.appendSync({ type: "note", content: "goes on" });
  expect(notesOf((await readAll(join(folder, "f.jsonl"))).events)).toEqual([
    ...notes(2, 3, 4),
    "goes on",
  ]);
  await fork.close();
  await log.close();
  expect(readFileSync(file)).toEqual(bytes);
});

test("a missing first line: the events are read and the loss is told", async () => {
  const { file } = await sessionWith(3);
  writeLines(file, linesOf(file).slice(1));
  const { events, damage } = await readAll(file);
  expect(notesOf(events)).toEqual(notes(2, 3, 4));
  expect(kinds(damage)).toEqual(["bad_header"]);
  expect((await readPath(file)).damage.map(({ kind }) => kind)).toEqual(["bad_header"]);
  await expect(appendNote(file)).rejects.toMatchObject({ code: "damaged" });
});

test.each([
  ["an empty file", ""],
  ["a file of NULs", "\u0000".repeat(4096)],
  [
    "somebody else's lines",
    '{"role":"user","content":"hi"}\n{"role":"assistant","content":"ho"}\n',
  ],
  ["a torn first line", '{"id":1,"at":"2026-11-15T10:00:00.000Z","type":"session_st'],
])("%s is no session: said so, listed as such, and left as it is", async (_what, content) => {
  const folder = freshFolder();
  const file = join(folder, "s.jsonl");
  writeFileSync(file, content);
  await expect(readAll(file)).rejects.toMatchObject({ code: "not_a_session" });
  await expect(appendNote(file)).rejects.toMatchObject({ code: "not_a_session" });
  expect(listHeads(folderHome(folder))).toMatchObject([
    { session: "s", problem: expect.any(String) },
  ]);
  expect(() => SessionManager.create(folder, folder, { id: "s" })).toThrow(
    expect.objectContaining({ code: "session_exists" }),
  );
  expect(readFileSync(file, "utf8")).toBe(content);
});

test("a newer format is refused with a hint, for reading and for writing, and never misread", async () => {
  const { folder, file } = await sessionWith(2);
  writeFileSync(file, readFileSync(file, "utf8").replace('"format":1', '"format":2'));
  const bytes = readFileSync(file);
  const refusal = { code: "newer_format", hint: expect.stringContaining("Update") };
  await expect(readAll(file)).rejects.toMatchObject(refusal);
  await expect(appendNote(file)).rejects.toMatchObject(refusal);
  expect(listHeads(folderHome(folder))).toMatchObject([{ problem: "format 2 is newer" }]);
  expect(readFileSync(file)).toEqual(bytes);
});

test("a base that lost its end: the fork reads the rest and tells what is missing", async () => {
  const { folder, file } = await sessionWith(4);
  const session = SessionManager.open(file, { sync: "none" });
  const fork = session.fork(undefined, { id: "f" });
  fork.appendSync({ type: "note", content: "in the fork" });
  await fork.close();
  await session.close();
  writeLines(file, linesOf(file).slice(0, -2));
  const { ids, damage } = await readPath(join(folder, "f.jsonl"));
  expect(ids).toEqual([1, 2, 3, 6, 7]);
  expect(damage).toMatchObject([{ kind: "missing_parent", detail: "event 5" }]);
});

test("a line of 300 MB is passed over in flat memory, told as too long, and set aside by the next writer", async () => {
  const { folder, file } = await sessionWith(2);
  const piece = Buffer.alloc(1024 * 1024, "x");
  const pieces = 300;
  const fd = openSync(file, "a");
  writeSync(fd, '{"id":4,"parent":3,"at":"2026-11-15T10:00:00.000Z","type":"note","content":"');
  for (let written = 0; written < pieces; written += 1) writeSync(fd, piece);
  writeSync(fd, '"}\n');
  closeSync(fd);
  const before = process.memoryUsage().rss;
  const log = FileLog.open(folderHome(folder), file);
  expect(log.lastId()).toBe(3);
  await log.close();
  const first = await readAll(file);
  expect(notesOf(first.events)).toEqual(notes(2, 3));
  expect(first.damage).toMatchObject([{ kind: "too_long", length: expect.any(Number) }]);
  expect(kinds(verified(file).problems)).toEqual(["too_long"]);
  const after = await appendNote(file);
  expect(after.id).toBe(5);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  expect((await readAll(file)).events.at(-2)).toMatchObject({ type: "recovered", damaged: 1 });
  expect(verified(file).problems).toEqual([]);
  expect(quarantined(folder)[0]!.length).toBeGreaterThan(pieces * piece.length);
});

test("an event over the length of one line is refused with nothing written; the longest one is kept", async () => {
  const { file } = await sessionWith(1);
  const bytes = readFileSync(file);
  const total = longestFitting();
  const log = FileLog.open(folderHome(join(file, "..")), file, { sync: "none" });
  expect(() => log.appendSync([{ body: noteOf(total + 1) }])).toThrow(
    expect.objectContaining({ code: "too_large" }),
  );
  expect(readFileSync(file)).toEqual(bytes);
  log.appendSync([{ body: noteOf(total) }]);
  await log.close();
  expect(linesOf(file)[2]).toHaveLength(limits.lineBytes);
  // A torn end right behind it makes the next writer look at the long line again.
  appendFileSync(file, "torn");
  await appendNote(file);
  expect((await readAll(file)).events.map(({ type }) => type)).toEqual([
    "session_start",
    "note",
    "note",
    "recovered",
    "note",
  ]);
  expect(verified(file).problems).toEqual([]);
});

/** A note of so many characters, none of its texts long enough for a blob. */
function noteOf(total: number): EventBody {
  const content: { readonly type: "text"; readonly text: string }[] = [];
  for (let left = total; left > 0; left -= 60_000) {
    content.push({ type: "text", text: "y".repeat(Math.min(left, 60_000)) });
  }
  return { type: "note", content };
}

/** How many characters such a note may have as the third event of a session. */
function longestFitting(): number {
  const encoder = new LineEncoder();
  const frame = { id: 3, parent: 2, at: "2026-11-15T10:00:00.000Z" };
  const fits = (total: number) => {
    try {
      return encoder.encode(frame, encodeBody(noteOf(total)), "0123456789abcdef").bytes.length > 0;
    } catch {
      return false;
    }
  };
  let [low, high] = [limits.lineBytes - 9_000, limits.lineBytes - 7_000];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
