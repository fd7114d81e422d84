import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processEnvironment } from "../../src/base/env.ts";
import { copySession, planCopy } from "../../src/store/copy/copy.ts";
import { openRaw } from "../../src/store/copy/open-raw.ts";
import { FileStore } from "../../src/store/files.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const env = processEnvironment();

/** Copies everything that can be copied; gives what was planned. */
function copyAll(from: string, to: string, sessions?: readonly string[]): readonly string[] {
  const source = openRaw(from, { env, mustExist: true });
  const target = openRaw(to, { env, mustExist: false });
  const plan = planCopy(source, target, sessions);
  for (const { session, action } of plan)
    if (action === "copy") copySession(source, target, session);
  source.close();
  target.close();
  return plan.map(({ session, action }) => `${session.session} ${action}`).sort();
}

/** A folder with a session, a fork of it whose base is removed, a sealed one, and large content. */
async function filledFolder(): Promise<string> {
  const folder = temporaryFolder();
  const start = { type: "session_start", format: 1, cwd: "/nowhere" } as const;
  const store = new FileStore(folder);
  for (const session of ["base", "a"]) {
    await store.create({ ...start, session });
    await store.append(session, undefined, [
      { type: "user", content: `hello ${session}` },
      { type: "assistant", content: "ä".repeat(100_000) },
      { type: "meta", title: session },
      { type: "assistant", content: `${session}${"large".repeat(100_000)}` },
    ]);
  }
  await store.fork("base", 3, { ...start, session: "fork" });
  await store.append("fork", undefined, [{ type: "user", content: "other" }]);
  await store.remove("base");
  await store.close();
  const sealed = new FileStore(folder, { secret });
  await sealed.create({ ...start, session: "sealed" });
  await sealed.append("sealed", undefined, [
    { type: "user", content: `key ${"s".repeat(90_000)}` },
  ]);
  await sealed.close();
  return folder;
}

const secret = { key: new Uint8Array(32).fill(9) };

function bytesIn(folder: string): Readonly<Record<string, string>> {
  const paths = [folder, join(folder, ".reprise", "bases")].flatMap((place) =>
    readdirSync(place)
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => join(place, name)),
  );
  return Object.fromEntries(
    paths.map((path) => [path.slice(folder.length), readFileSync(path, "utf8")]),
  );
}

test("sessions that go into a database and back have the same bytes, and read the same", async () => {
  const folder = await filledFolder();
  const file = join(temporaryFolder(), "s.db");
  const back = temporaryFolder();
  const all = ["a copy", "base copy", "fork copy", "sealed copy"];
  expect(copyAll(folder, file)).toEqual(all);
  expect(copyAll(file, back)).toEqual(all);
  expect(bytesIn(back)).toEqual(bytesIn(folder));
  const stores = [new FileStore(folder), new SqliteStore(file), new FileStore(back)];
  const read = await Promise.all(
    stores.map(async (store) => {
      const events: unknown[] = [];
      for (const session of ["a", "fork"])
        for await (const event of store.read(session)) events.push(event);
      expect(await store.open("base").catch(({ code }) => code)).toBe("not_found");
      expect(store.sync.open("fork").verify().problems).toEqual([]);
      await store.close();
      return events;
    }),
  );
  expect(read[1]).toEqual(read[0]);
  expect(read[2]).toEqual(read[0]);
  for (const store of [new SqliteStore(file, { secret }), new FileStore(back, { secret })]) {
    expect(await store.event("sealed", 2)).toMatchObject({ content: `key ${"s".repeat(90_000)}` });
    await store.append("sealed", undefined, [{ type: "user", content: "goes on" }]);
    await store.append("fork", undefined, [{ type: "user", content: "goes on" }]);
    await store.close();
  }
});

test("what is there already is left, and a session that went on there is not written over", async () => {
  const folder = await filledFolder();
  const file = join(temporaryFolder(), "s.db");
  expect(copyAll(folder, file, ["a"])).toEqual(["a copy"]);
  expect(copyAll(folder, file, ["a", "fork"])).toEqual(["a same", "base copy", "fork copy"]);
  const store = new SqliteStore(file);
  await store.append("a", undefined, [{ type: "user", content: "goes on" }]);
  await store.close();
  expect(copyAll(folder, file)).toEqual(["a leave", "base same", "fork same", "sealed copy"]);
  expect(() => copyAll(folder, file, ["none"])).toThrow(
    expect.objectContaining({ code: "not_found" }),
  );
});

test("damage that was mended goes along; a torn line must be mended first", async () => {
  const folder = temporaryFolder();
  const store = new FileStore(folder);
  await store.create({ type: "session_start", format: 1, session: "a" });
  await store.append("a", undefined, [{ type: "user", content: "one" }]);
  await store.close();
  appendFileSync(join(folder, "a.jsonl"), '{"id":3,"par');
  const file = join(temporaryFolder(), "s.db");
  expect(copyAll(folder, file)).toEqual(["a leave"]);
  const again = new FileStore(folder);
  await again.append("a", undefined, [{ type: "user", content: "two" }]);
  await again.close();
  expect(copyAll(folder, file)).toEqual(["a copy"]);
  const back = temporaryFolder();
  expect(copyAll(file, back)).toEqual(["a copy"]);
  expect(readFileSync(join(back, "a.jsonl"))).toEqual(readFileSync(join(folder, "a.jsonl")));
  const copy = new SqliteStore(file);
  const types: string[] = [];
  for await (const { type } of copy.read("a")) types.push(type);
  expect(types).toEqual(["session_start", "user", "recovered", "user"]);
  await copy.append("a", undefined, [{ type: "user", content: "three" }]);
  expect(copy.sync.open("a").verify().problems).toEqual([]);
  await copy.close();
});
