import { copyFileSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { expectedSum } from "../../src/log/line.ts";
import type { Secret } from "../../src/log/seal.ts";
import type { Damage } from "../../src/model/damage.ts";
import { FileLog } from "../../src/store/file-log.ts";
import { FileStore } from "../../src/store/files.ts";
import { folderHome } from "../../src/store/home.ts";
import { listHeads } from "../../src/store/list.ts";
import type { SessionVerification } from "../../src/store/session-log.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import {
  appendNote,
  freshFolder,
  linesOf,
  notesOf,
  readAll,
  sessionWith,
  writeLines,
} from "./damaged-session.ts";

/*
 * What somebody without the key can do to a sealed session. They know the format: after every change they make the
 * sums fit again, so that nothing but the seal itself can tell.
 */

const secret = { key: Buffer.alloc(32, 7) };
const sealed = { seal: true, secret, title: "quiet" };
const refused = { code: "damaged", message: expect.stringContaining("first line is not sealed") };

/** The lines with sums that fit, as anybody can make them. */
function resummed(lines: readonly string[]): readonly string[] {
  let previous = "";
  return lines.map((line) => {
    previous = expectedSum(Buffer.from(line), previous);
    return line.replace(/"[0-9a-f]{16}"\}$/, `"${previous}"}`);
  });
}

function verifiedWith(file: string, given: Secret | undefined): SessionVerification {
  const log = FileLog.open(folderHome(join(file, "..")), file, { secret: given });
  try {
    return log.verify();
  } finally {
    void log.close();
  }
}

function details(problems: readonly Damage[]): readonly string[] {
  return problems.map(({ kind, detail }) => `${kind}: ${detail}`);
}

const sealedOf = (line: string): string => /"sealed":"([^"]*)"/.exec(line)![1]!;
const withSealed = (line: string, text: string): string =>
  line.replace(/"sealed":"[^"]*"/, `"sealed":"${text}"`);

function flipped(line: string): string {
  const bytes = Buffer.from(sealedOf(line), "base64");
  bytes[20]! ^= 1;
  return withSealed(line, bytes.toString("base64"));
}

test("an untouched sealed session verifies, with the key and without", async () => {
  const { file } = await sessionWith(4, sealed);
  expect(verifiedWith(file, secret)).toEqual({ events: 5, problems: [], isOpened: true });
  expect(verifiedWith(file, undefined)).toEqual({ events: 5, problems: [], isOpened: false });
});

test("each line carries the sum of the line before it", async () => {
  const { file } = await sessionWith(3, sealed);
  const sums = linesOf(file).map((line) => JSON.parse(line).sum as string);
  const afters = linesOf(file).map((line) => JSON.parse(line).after as string | undefined);
  expect(afters).toEqual([undefined, ...sums.slice(0, -1)]);
});

const attacks: Readonly<Record<string, (lines: readonly string[]) => readonly string[]>> = {
  "a bit of a line flipped": (lines) => lines.with(2, flipped(lines[2]!)),
  "the bodies of two lines swapped": (lines) =>
    lines
      .with(2, withSealed(lines[2]!, sealedOf(lines[3]!)))
      .with(3, withSealed(lines[3]!, sealedOf(lines[2]!))),
  "a line replaced by a plain one": (lines) =>
    lines.with(
      2,
      '{"id":3,"parent":2,"at":"2026-11-15T10:00:00.000Z","type":"note","content":"forged","sum":"0000000000000000"}',
    ),
  "a line taken out": (lines) => lines.toSpliced(2, 1),
  "a field added to a line": (lines) =>
    lines.with(2, lines[2]!.replace(',"sum"', ',"blobs":1,"sum"')),
  "what a line was written after changed": (lines) =>
    lines.with(2, lines[2]!.replace(/"after":"[^"]*"/, '"after":"0000000000000000"')),
  "what a line was written after taken away": (lines) =>
    lines.with(2, lines[2]!.replace(/,"after":"[^"]*"/, "")),
  "the seal made one of the first version": (lines) =>
    lines.with(0, lines[0]!.replace('"version":2,', "")),
};

for (const [name, attack] of Object.entries(attacks)) {
  test(`verify with the key reports ${name}, though every sum fits`, async () => {
    const { file } = await sessionWith(5, sealed);
    writeLines(file, resummed(attack(linesOf(file))));
    expect(verifiedWith(file, secret).problems).not.toEqual([]);
  });
}

test("two lines that trade places are reported by their numbers and by what they follow", async () => {
  const { file } = await sessionWith(4, sealed);
  const lines = linesOf(file);
  writeLines(file, resummed([lines[0]!, lines[1]!, lines[3]!, lines[2]!, lines[4]!]));
  expect(details(verifiedWith(file, secret).problems)).toContain(
    "bad_sum: event 4 was sealed after another line",
  );
});

test("after a line that is lost the next still opens, and its place is neither proven nor damage", async () => {
  const { file } = await sessionWith(4, sealed);
  const lines = linesOf(file);
  writeLines(file, lines.with(2, lines[2]!.slice(0, 70)));
  const { events, damage } = await readAll(file, { secret });
  expect(notesOf(events)).toEqual(["note 2", "note 4", "note 5"]);
  expect(damage).toHaveLength(1);
  expect(verifiedWith(file, secret).problems).toEqual(damage);
});

test("a line of another fork of the same session does not pass for this one's", async () => {
  const { folder, file } = await sessionWith(2, sealed);
  const session = SessionManager.open(file, { secret, sync: "none" });
  const forks = ["f1", "f2"].map((id) => session.fork(undefined, { id }));
  for (const fork of forks) {
    fork.appendSync({ type: "note", content: `of ${fork.getSessionId()}` });
    await fork.close();
  }
  await session.close();
  const [one, two] = ["f1", "f2"].map((id) => join(folder, `${id}.jsonl`));
  const [start, theirs] = [linesOf(one!)[0]!, linesOf(two!)[1]!];
  const before = JSON.parse(start).sum as string;
  const sum = expectedSum(Buffer.from(theirs), before);
  writeLines(one!, [start, theirs.replace(/"[0-9a-f]{16}"\}$/, `"${sum}"}`)]);
  // It is sealed by the same key under the same numbers: only the sum it names gives it away.
  const { problems } = verifiedWith(one!, secret);
  const [id] = [JSON.parse(theirs).id as number];
  expect(details(problems)).toEqual([`bad_sum: event ${id} was sealed after another line`]);
});

/** The first line as whoever takes the seal away would write it. */
const plainStart =
  '{"id":1,"at":"2026-11-15T10:00:00.000Z","type":"session_start","format":1,"session":"s","sum":"0000000000000000"}';
const plainNote = (id: number): string =>
  `{"id":${id},"parent":${id - 1},"at":"2026-11-15T10:00:00.000Z","type":"note","content":"x","sum":"0000000000000000"}`;

test("a plain first line above sealed lines is refused, by readers, writers, verify and the list", async () => {
  const { folder, file } = await sessionWith(3, sealed);
  writeLines(file, resummed([plainStart, ...linesOf(file).slice(1)]));
  const before = readFileSync(file);
  for (const options of [{}, { secret }]) {
    await expect(readAll(file, options)).rejects.toMatchObject(refused);
    await expect(appendNote(file, "in the open", options)).rejects.toMatchObject(refused);
  }
  expect(() => verifiedWith(file, secret)).toThrow(expect.objectContaining(refused));
  expect(listHeads(folderHome(folder))).toMatchObject([
    { session: "s", problem: expect.stringContaining("sealed") },
  ]);
  expect(readFileSync(file)).toEqual(before);
});

test("nothing readable is appended after sealed lines, whatever stands around them", async () => {
  const { file } = await sessionWith(3, sealed);
  const lines = linesOf(file);
  writeLines(file, resummed([plainStart, plainNote(2), ...lines.slice(2), plainNote(5)]));
  const before = readFileSync(file);
  await expect(appendNote(file, "in the open")).rejects.toMatchObject(refused);
  expect(readFileSync(file)).toEqual(before);
  const { events, damage } = await readAll(file);
  expect(notesOf(events)).toEqual(["x", "x"]);
  expect(damage).toMatchObject([{ detail: expect.stringContaining("is sealed") }, {}]);
  expect(verifiedWith(file, undefined).problems).toEqual(expect.arrayContaining([...damage]));
});

test("a fork whose seal was taken away gets nothing readable: its base says that it was sealed", async () => {
  const { folder, file } = await sessionWith(2, sealed);
  const session = SessionManager.open(file, { secret, sync: "none" });
  await session.fork(undefined, { id: "f" }).close();
  await session.close();
  const fork = join(folder, "f.jsonl");
  const { seal, sealed: _, after: _after, ...start } = JSON.parse(linesOf(fork)[0]!);
  const line = JSON.stringify(start);
  const sum = expectedSum(Buffer.from(line), start.base.sum as string);
  writeLines(fork, [line.replace(/"[0-9a-f]{16}"\}$/, `"${sum}"}`)]);
  await expect(appendNote(fork)).rejects.toMatchObject(refused);
  await expect(readAll(fork)).rejects.toMatchObject(refused);
});

test("a store without the key makes no readable fork of a sealed session", async () => {
  const { folder } = await sessionWith(1, sealed);
  const store = new FileStore(folder);
  const start = { type: "session_start", format: 1, session: "f" } as const;
  await expect(store.fork("s", undefined, start)).rejects.toMatchObject({
    code: "sealed",
  });
  await store.close();
});

test("a session sealed by the first version opens, verifies, and is appended to as it was begun", async () => {
  const folder = freshFolder();
  const file = join(folder, "old.jsonl");
  copyFileSync(resolve(import.meta.dirname, "../fixtures/reprise/sealed-1/old.jsonl"), file);
  const session = SessionManager.open(file, { secret, sync: "none" });
  expect(session.getTitle()).toBe("renamed");
  session.appendSync({ type: "note", content: "appended later" });
  const fork = session.fork(undefined, { id: "f" });
  fork.appendSync({ type: "note", content: "and in a fork" });
  await fork.close();
  await session.close();
  expect(verifiedWith(file, secret)).toEqual({ events: 5, problems: [], isOpened: true });
  expect(readFileSync(file, "utf8")).not.toMatch(/"after"|"version"|appended later/);
  const { events, damage } = await readAll(join(folder, "f.jsonl"), { secret });
  expect(damage).toEqual([]);
  expect(events.flatMap((event) => ("content" in event ? [event.content] : []))).toEqual([
    "what was sealed before",
    "opens later too",
    "appended later",
    "and in a fork",
  ]);
});

test("a seal of a later version is refused as such, and one that cannot be read as damage", async () => {
  const { file } = await sessionWith(1, sealed);
  const lines = linesOf(file);
  for (const [seal, code] of [
    ['{"version":3,', "newer_format"],
    ['{"version":"2",', "damaged"],
    ['{"version":1.5,', "damaged"],
  ] as const) {
    writeLines(file, lines.with(0, lines[0]!.replace('{"version":2,', seal)));
    await expect(readAll(file, { secret })).rejects.toMatchObject({ code });
  }
  for (const seal of ["null", "5", '"x"', "[]", "{}"]) {
    writeLines(file, lines.with(0, lines[0]!.replace(/"seal":\{[^}]*\}/, `"seal":${seal}`)));
    await expect(readAll(file, { secret })).rejects.toMatchObject({ code: "damaged" });
    await expect(appendNote(file)).rejects.toThrow(
      expect.objectContaining({ name: "RepriseError" }),
    );
  }
});

test("a secret that is none is refused as bad input, never as a fault of the program", async () => {
  const folder = freshFolder();
  const { file } = await sessionWith(1, sealed);
  const wrong: readonly unknown[] = ["text", 5, [], {}, { key: "text" }, { passphrase: 5 }];
  const badInput = expect.objectContaining({ code: "bad_input" });
  for (const given of wrong as readonly Secret[]) {
    const options = { seal: true, secret: given };
    expect(() => SessionManager.create(folder, folder, options)).toThrow(badInput);
    expect(() => SessionManager.open(file, { secret: given })).toThrow(badInput);
  }
});
