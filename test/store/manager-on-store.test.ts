import { describe, expect, test } from "vitest";
import { FileStore } from "../../src/store/files.ts";
import { MemoryStore } from "../../src/store/memory.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const engines = [
  { engine: "files", open: () => new FileStore(temporaryFolder()) },
  { engine: "memory", open: () => new MemoryStore() },
];

describe.each(engines)("a manager on a store in $engine", ({ open }) => {
  test("creates, forks, rewinds, compacts, rotates and continues there", async () => {
    const store = open();
    const cwd = temporaryFolder();
    const session = SessionManager.create(cwd, undefined, { store, id: "a", title: "first" });
    await session.appendUser("one");
    const two = await session.appendAssistant("two");
    session.appendSync({ type: "user", content: "three" });
    const fork = session.fork(two.id, { id: "b" });
    await fork.appendUser("other");
    expect(fork.getTitle()).toBe("first");
    expect(fork.path().map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    await session.rewind(two.id);
    expect(session.path().map(({ type }) => type)).toEqual([
      "session_start",
      "user",
      "assistant",
      "rewind",
    ]);
    await fork.compact({ strategy: "rotate" });
    expect(fork.getSessionId()).not.toBe("b");
    await Promise.all([session.close(), fork.close()]);
    const heads = await SessionManager.list(cwd, undefined, { store });
    expect(heads).toHaveLength(3);
    const again = SessionManager.continueRecent(cwd, undefined, { store });
    expect(again.isNew).toBe(false);
    expect(again.getSessionId()).toBe(fork.getSessionId());
    await again.close();
    expect(SessionManager.open("a", { store }).getLeafId()).toBe(5);
    await store.close();
  });

  test("takes either a store or a folder", () => {
    const store = open();
    const wrong = expect.objectContaining({ code: "bad_input" });
    expect(() => SessionManager.create("/", temporaryFolder(), { store })).toThrow(wrong);
    expect(() => SessionManager.continueRecent("/", temporaryFolder(), { store })).toThrow(wrong);
    expect(() => SessionManager.open("a", { dir: temporaryFolder(), store })).toThrow(wrong);
    expect(() => SessionManager.inMemory("/", { store })).toThrow(wrong);
  });
});

test("a store that answers later is refused with a word on what to use", () => {
  const { sync: _sync, ...later } = new MemoryStore();
  const store = later as unknown as MemoryStore;
  expect(() => SessionManager.create("/", undefined, { store })).toThrow(
    expect.objectContaining({ code: "unsupported" }),
  );
});
