import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderHome } from "../../src/store/home.ts";
import { listHeads } from "../../src/store/list.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import {
  appendNote,
  linesOf,
  notesOf,
  readAll,
  sessionWith,
  verified,
  writeLines,
} from "./damaged-session.ts";

const secret = { key: Buffer.alloc(32, 7) };
const wrong = { key: Buffer.alloc(32, 8) };
const sealed = { seal: true, secret, title: "quiet" };
const code = (name: string) => expect.objectContaining({ code: name });

/** The same line with one character of its sealed text changed. */
function changed(line: string): string {
  const at = line.indexOf('"sealed":"') + 30;
  return line.slice(0, at) + (line[at] === "A" ? "B" : "A") + line.slice(at + 1);
}

test("a wrong key is refused and changes nothing", async () => {
  const { file } = await sessionWith(2, sealed);
  const before = readFileSync(file);
  await expect(readAll(file, { secret: wrong })).rejects.toMatchObject({ code: "wrong_key" });
  await expect(appendNote(file, "x", { secret: wrong })).rejects.toMatchObject({
    code: "wrong_key",
  });
  await expect(readAll(file, { secret: { passphrase: "guess" } })).rejects.toMatchObject({
    code: "wrong_key",
  });
  expect(readFileSync(file)).toEqual(before);
});

test("without the key lists show (sealed), verify still checks every line, and content asks for the key", async () => {
  const { folder, file } = await sessionWith(2, sealed);
  expect(listHeads(folderHome(folder))).toMatchObject([
    { session: "s", title: "(sealed)", sealed: true, events: 3 },
  ]);
  expect(verified(file)).toMatchObject({ events: 3, problems: [] });
  const missing = { code: "sealed", hint: expect.stringContaining("REPRISE_KEY") };
  await expect(readAll(file)).rejects.toMatchObject(missing);
  await expect(appendNote(file)).rejects.toMatchObject(missing);
  const session = SessionManager.open(file);
  expect(() => session.buildSessionContext()).toThrow(code("sealed"));
  expect(() => session.fork()).toThrow(code("sealed"));
  await session.close();
  expect(linesOf(file).join("\n")).not.toMatch(/quiet|note 2/);
});

test("a sealed line that was changed costs itself: told as damage, the others are read and appended to", async () => {
  const { file } = await sessionWith(3, sealed);
  const lines = linesOf(file);
  writeLines(file, [...lines.slice(0, 2), changed(lines[2]!), ...lines.slice(3)]);
  const { events, damage } = await readAll(file, { secret });
  expect(notesOf(events)).toEqual(["note 2", "note 4"]);
  expect(damage).toMatchObject([
    { kind: "bad_record", detail: expect.stringContaining("event 3") },
  ]);
  const session = SessionManager.open(file, { secret });
  expect(session.buildSessionContext().damage).toHaveLength(1);
  await session.setTitle("louder");
  expect(session.getTitle()).toBe("louder");
  await session.close();
  expect(verified(file).problems).toMatchObject([{ kind: "bad_sum" }]);
});

test("a changed first line of a sealed session hides its facts, not its events", async () => {
  const { file } = await sessionWith(2, sealed);
  const lines = linesOf(file);
  writeLines(file, [changed(lines[0]!), ...lines.slice(1)]);
  const { events, damage } = await readAll(file, { secret });
  expect(notesOf(events)).toEqual(["note 2", "note 3"]);
  expect(damage).toMatchObject([{ kind: "bad_record" }]);
  expect((await appendNote(file, "after", { secret })).id).toBe(4);
});

test("mending brings sealed events back under their new numbers, and leaves changed ones in quarantine", async () => {
  const { folder, file } = await sessionWith(5, sealed);
  const lines = linesOf(file);
  const broken = lines[2]!.slice(0, 60);
  writeLines(file, [...lines.slice(0, 2), broken, lines[3]!, changed(lines[4]!), lines[5]!]);
  await appendNote(file, "after", { secret });
  const { events, damage } = await readAll(file, { secret });
  expect(notesOf(events)).toEqual(["note 2", "note 4", "note 6", "after"]);
  expect(events.find(({ type }) => type === "recovered")).toMatchObject({
    damaged: 2,
    recovered: 2,
  });
  expect(damage).toEqual([]);
  expect(verified(file).problems).toEqual([]);
  const place = join(folder, ".reprise", "quarantine");
  expect(readFileSync(join(place, readdirSync(place)[0]!), "utf8")).not.toContain("note 4");
});

test("a mending left unfinished is not finished without the key, and is with it", async () => {
  const { file } = await sessionWith(2, sealed);
  writeFileSync(file, "torn", { flag: "a" });
  await expect(appendNote(file)).rejects.toMatchObject({ code: "sealed" });
  expect(linesOf(file)).toHaveLength(3);
  expect((await appendNote(file, "after", { secret })).id).toBe(5);
});

test("a fork of a sealed session reads its base, large texts too, and is sealed itself", async () => {
  const { folder, file } = await sessionWith(1, sealed);
  const large = "l".repeat(200_000);
  const session = SessionManager.open(file, { secret, sync: "none" });
  session.appendSync({ type: "note", content: large });
  const fork = session.fork(undefined, { id: "f" });
  fork.appendSync({ type: "note", content: `fork ${large}` });
  await fork.close();
  await session.close();
  const forked = join(folder, "f.jsonl");
  const { events, damage } = await readAll(forked, { secret });
  expect(notesOf(events)).toEqual(["note 2", large, `fork ${large}`]);
  expect(damage).toEqual([]);
  expect(readFileSync(forked, "utf8")).not.toContain("quiet");
});
