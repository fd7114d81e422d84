import { spawn } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EventBody, SessionStart } from "../../src/model/event.ts";
import { Connection } from "../../src/sqlite/connection.ts";
import type { Store } from "../../src/store/contract.ts";
import { FileStore } from "../../src/store/files.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const child = join(import.meta.dirname, "children", "append-to-sqlite.mjs");

function startOf(session: string): SessionStart {
  return { type: "session_start", format: 1, session, cwd: "/nowhere" };
}

function user(content: string): EventBody {
  return { type: "user", content };
}

/** Starts a process that appends; resolves with the numbers it acknowledged. */
function appending(
  file: string,
  options: { readonly mark: string; readonly count: number; readonly killAfter?: number },
): Promise<readonly number[]> {
  const { mark, count, killAfter } = options;
  const run = spawn(process.execPath, [child, file, "a", mark, String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  run.stdout.on("data", (data) => {
    printed += data;
    if (killAfter !== undefined && printed.split("\n").length > killAfter) run.kill("SIGKILL");
  });
  return new Promise((resolve) => {
    run.on("close", () => resolve(printed.split("\n").slice(0, -1).map(Number)));
  });
}

async function contentsOf(store: Store): Promise<ReadonlyMap<number, unknown>> {
  const contents = new Map<number, unknown>();
  for await (const event of store.read("a"))
    if (event.type === "user") contents.set(event.id, event.content);
  return contents;
}

test("the rows of a session are the bytes its file would hold, but for the times", async () => {
  const file = join(temporaryFolder(), "s.db");
  const folder = temporaryFolder();
  const stores = [new SqliteStore(file), new FileStore(folder)];
  for (const store of stores) {
    await store.create(startOf("a"));
    await store.append("a", undefined, [user("one"), { type: "meta", title: "t" }, user("ä 😀")]);
    await store.append("a", undefined, [
      user("x".repeat(100_000)),
      { type: "rewind", to: 2, from: 5 },
    ]);
    await store.fork("a", 4, startOf("b"));
    await store.append("b", undefined, [user("other")]);
    await store.close();
  }
  const database = new Connection(file, { readOnly: true });
  const rows = database
    .prepare("select bytes from line where session = ? order by offset")
    .all(1) as { readonly bytes: Uint8Array }[];
  database.close();
  const lines = Buffer.concat(rows.map(({ bytes }) => bytes)).toString();
  const ageless = (text: string) =>
    text.replace(/"at":"[^"]*"/g, '"at":""').replace(/"sum":"[^"]*"/g, '"sum":""');
  expect(ageless(lines)).toBe(ageless(readFileSync(join(folder, "a.jsonl"), "utf8")));
  const copy = temporaryFolder();
  writeFileSync(join(copy, "a.jsonl"), lines);
  const opened = SessionManager.open(join(copy, "a.jsonl"));
  expect(opened.getLeafId()).toBe(6);
  await opened.close();
});

test("a database is its owner's alone", async () => {
  const file = join(temporaryFolder(), "deep", "s.db");
  const store = new SqliteStore(file);
  await store.create(startOf("a"));
  for (const path of [file, `${file}-wal`]) expect(statSync(path).mode & 0o777).toBe(0o600);
  await store.close();
  await expect(store.open("a")).rejects.toMatchObject({ code: "closed" });
  expect(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
});

test("what another program's database holds is left alone", () => {
  const file = join(temporaryFolder(), "other.db");
  const other = new Connection(file);
  other.exec("create table mine (x)");
  other.close();
  const before = readFileSync(file);
  expect(() => new SqliteStore(file)).toThrow(expect.objectContaining({ code: "bad_input" }));
  expect(readFileSync(file).equals(before)).toBe(true);
  writeFileSync(file, "no database at all, but long enough to be looked at".repeat(100));
  expect(() => new SqliteStore(file)).toThrow(expect.objectContaining({ code: "damaged" }));
});

test("large content lies in the database and goes with the last session that needs it", async () => {
  const file = join(temporaryFolder(), "s.db");
  const store = new SqliteStore(file);
  const large = "ä".repeat(100_000);
  for (const id of ["a", "b"]) {
    await store.create(startOf(id));
    await store.append(id, undefined, [user(large)]);
  }
  await store.fork("a", undefined, startOf("f"));
  const blobs = () => {
    const database = new Connection(file, { readOnly: true });
    const row = database.prepare("select count(*) as blobs from blob").get();
    database.close();
    return (row as { readonly blobs: number }).blobs;
  };
  expect(blobs()).toBe(1);
  await store.remove("b");
  await store.remove("a");
  expect(blobs()).toBe(1);
  expect(await store.event("f", 2)).toMatchObject({ content: large });
  await expect(store.create(startOf("a"))).rejects.toMatchObject({ code: "session_exists" });
  await store.remove("f");
  expect(blobs()).toBe(0);
  await store.create(startOf("a"));
  await store.close();
});

test("a sealed session shows nothing of itself without the key", async () => {
  const file = join(temporaryFolder(), "s.db");
  const secret = { key: new Uint8Array(32).fill(7) };
  const store = new SqliteStore(file, { secret });
  await store.create({ ...startOf("a"), title: "top secret" });
  await store.append("a", undefined, [
    user("top secret"),
    user(`top secret ${"x".repeat(100_000)}`),
  ]);
  await store.fork("a", undefined, startOf("b"));
  expect(await store.event("b", 2)).toMatchObject({ content: "top secret" });
  await store.close();
  expect(readFileSync(file).includes("top secret")).toBe(false);
  const without = new SqliteStore(file);
  for await (const head of without.heads()) expect(head.title).toBe("(sealed)");
  await expect(without.append("a", undefined, [user("x")])).rejects.toMatchObject({
    code: "sealed",
  });
  await without.close();
});

test("several processes append to one session: every acknowledged event is there once, in one chain", async () => {
  const file = join(temporaryFolder(), "s.db");
  const store = new SqliteStore(file);
  await store.create(startOf("a"));
  const followed: number[] = [];
  const ends = new AbortController();
  const following = (async () => {
    for await (const { id } of store.follow("a", { from: 2, signal: ends.signal })) {
      followed.push(id);
      if (id === 121) ends.abort();
    }
  })();
  const acknowledged = await Promise.all(
    ["p", "q", "r"].map((mark) => appending(file, { mark, count: 40 })),
  );
  await following;
  const expected = Array.from({ length: 120 }, (_, index) => index + 2);
  expect(acknowledged.flat().sort((a, b) => a - b)).toEqual(expected);
  expect(followed).toEqual(expected);
  expect((await contentsOf(store)).size).toBe(120);
  const log = store.sync.open("a");
  expect(log.verify()).toMatchObject({ events: 121, problems: [] });
  await store.close();
});

test("what a killed process acknowledged is there, and the session goes on", async () => {
  const file = join(temporaryFolder(), "s.db");
  const first = new SqliteStore(file);
  await first.create(startOf("a"));
  await first.close();
  for (const killAfter of [1, 7, 23]) {
    const mark = `k${killAfter}`;
    const acknowledged = await appending(file, { mark, count: 100_000, killAfter });
    const store = new SqliteStore(file);
    const contents = await contentsOf(store);
    expect(acknowledged.length).toBeGreaterThanOrEqual(killAfter);
    const kept = acknowledged.map((id) => contents.get(id));
    expect(kept).toEqual(acknowledged.map((_, index) => `${mark} ${index}`));
    expect(store.sync.open("a").verify().problems).toEqual([]);
    await store.append("a", undefined, [user("goes on")]);
    await store.close();
  }
});
