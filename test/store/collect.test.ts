import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { blobNameOf } from "../../src/blobs/name.ts";
import { collect } from "../../src/store/collect.ts";
import { FileStore } from "../../src/store/files.ts";
import { folderHome, type Home } from "../../src/store/home.ts";
import { openBlobs } from "../../src/store/open-blobs.ts";
import { prune } from "../../src/store/prune.ts";
import { removeSession } from "../../src/store/remove.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { undo } from "../../src/store/undo.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

let folder: string;
let home: Home;

beforeEach(() => {
  folder = temporaryFolder();
  home = folderHome(folder);
});

/** Content of two sizes: one is packed, one is a file of its own. */
function largeTexts(id: string): readonly string[] {
  return [`${id} ${"p".repeat(70_000)}`, `${id} ${"f".repeat(270_000)}`];
}

async function begin(id: string): Promise<string> {
  const session = SessionManager.create(folder, folder, { id, sync: "none" });
  for (const text of largeTexts(id)) await session.note(text);
  await session.close();
  return session.getSessionFile()!;
}

async function notesOf(id: string): Promise<unknown[]> {
  const session = SessionManager.open(id, { dir: folder });
  const notes: unknown[] = [];
  for await (const event of session.events()) if (event.type === "note") notes.push(event.content);
  await session.close();
  return notes;
}

/** Collects as if a day had passed. */
function collectNow(): ReturnType<typeof collect> {
  openBlobs(home).close();
  return collect(home, { graceMs: 0, nowMs: Date.now() + 60_000 });
}

/** Whether content is there. */
function has(text: string): boolean {
  try {
    openBlobs(home).get({ blob: blobNameOf(Buffer.from(text)), size: Buffer.byteLength(text) });
    return true;
  } catch {
    return false;
  }
}

test("content of removed sessions goes, that of sessions, bases, copies and quarantine stays", async () => {
  await begin("stays");
  removeSession(home, await begin("goes"), { archive: false });
  removeSession(home, await begin("copied"), { archive: true });
  const base = await begin("base");
  const above = SessionManager.open("base", { dir: folder });
  const fork = above.fork(undefined, { id: "fork" });
  await fork.close();
  await above.close();
  removeSession(home, base, { archive: false });
  const torn = await begin("torn");
  // What was torn off a session by a crash may yet be brought back by hand.
  const setAside = `set aside ${"f".repeat(270_000)}`;
  openBlobs(home).settleSync([openBlobs(home).stage(setAside)]);
  appendFileSync(torn, `{"blob":"${blobNameOf(Buffer.from(setAside))}","size":270010} torn`);
  const mending = SessionManager.open("torn", { dir: folder });
  await mending.note("goes on");
  await mending.close();
  expect(readdirSync(home.quarantine)).toHaveLength(1);

  const done = collectNow();
  expect(done.freedBytes).toBeGreaterThan(0);
  // What lies in a pack goes when little else in it is alive.
  expect(has(largeTexts("goes")[1]!)).toBe(false);
  for (const text of largeTexts("copied")) expect(has(text)).toBe(true);
  expect(has(setAside)).toBe(true);
  expect(await notesOf("stays")).toEqual(largeTexts("stays"));
  expect(await notesOf("fork")).toEqual(largeTexts("base"));
  // A second time there is nothing left to do.
  expect(collectNow().freedBytes).toBe(0);
});

test("content that only the strip of an older version refers to since a power cut stays", async () => {
  const session = SessionManager.create(folder, folder, { id: "cut", sync: "none" });
  session.appendSync({ type: "note", content: "short" });
  const file = session.getSessionFile()!;
  const { size } = statSync(file);
  for (const content of largeTexts("cut")) session.appendSync({ type: "note", content });
  await session.close();
  mkdirSync(home.strips, { recursive: true });
  writeFileSync(join(home.strips, "cut.strip"), readFileSync(file).subarray(size));
  truncateSync(file, size);
  collectNow();
  expect((await notesOf("cut")).slice(-2)).toEqual(largeTexts("cut"));
});

test("what a prune kept compressed comes back whole after a collection, however long it is", async () => {
  const session = SessionManager.create(folder, folder, { id: "long", sync: "none" });
  // Copies are made in pieces of four megabytes.
  const filler = "a line of a long session ".repeat(2000);
  for (let at = 0; at < 120; at += 1) await session.note(`${at} ${filler}`);
  for (const text of largeTexts("long")) await session.note(text);
  await session.close();
  prune(home, { maxSessions: 0 });
  collectNow();
  await undo(home);
  expect((await notesOf("long")).slice(-2)).toEqual(largeTexts("long"));
});

test("where a copy cannot be read nothing is deleted, and it is told", async () => {
  removeSession(home, await begin("goes"), { archive: false });
  removeSession(home, await begin("copied"), { archive: true });
  const [copy] = readdirSync(home.archive);
  truncateSync(join(home.archive, copy!), 30);
  expect(collectNow).toThrow();
  for (const text of largeTexts("goes")) expect(has(text)).toBe(true);
  writeFileSync(join(home.archive, copy!), "");
  collectNow();
  for (const text of largeTexts("goes")) expect(has(text)).toBe(false);
});

test("content is left alone for a day after its last use", async () => {
  removeSession(home, await begin("goes"), { archive: false });
  expect(await new FileStore(folder).collect()).toMatchObject({ freedBytes: 0 });
  for (const text of largeTexts("goes")) expect(has(text)).toBe(true);
  expect(existsSync(join(home.blobs, "trash"))).toBe(true);
});

test("content of a sealed session stays, though nobody who collects has its key", async () => {
  const secret = { key: new Uint8Array(32).fill(7) };
  const sealed = { id: "sealed", sync: "none", seal: true, secret } as const;
  const session = SessionManager.create(folder, folder, sealed);
  for (const text of largeTexts("sealed")) await session.note(text);
  await session.close();
  removeSession(home, await begin("goes"), { archive: false });
  expect(collectNow().freedBytes).toBeGreaterThan(0);
  const again = SessionManager.open("sealed", { dir: folder, secret });
  const notes = again.path().flatMap((event) => (event.type === "note" ? [event.content] : []));
  await again.close();
  expect(notes).toEqual(largeTexts("sealed"));
});
