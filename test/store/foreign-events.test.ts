import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AsyncSessionManager } from "../../src/store/async-session-manager.ts";
import { FileStore } from "../../src/store/files.ts";
import { MemoryStore } from "../../src/store/memory.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { temporaryFolder } from "../temporary-folder.mjs";
import { everyStore } from "./stores.ts";

/* Two programs that continue one session do not interleave their conversations unawares. */

const conflict = expect.objectContaining({ code: "conflict" });

const syncStores = [
  { engine: "files", open: () => new FileStore(temporaryFolder(), { leasePerAppend: true }) },
  { engine: "memory", open: () => new MemoryStore() },
  { engine: "SQLite", open: () => new SqliteStore(join(temporaryFolder(), "s.db")) },
];

describe.each(syncStores)("two managers of one session, in $engine", ({ open }) => {
  function both(): { readonly one: SessionManager; readonly other: SessionManager } {
    const store = open();
    const one = SessionManager.create("/", undefined, { store });
    one.appendSync({ type: "user", content: "begin" });
    return { one, other: SessionManager.open(one.getSessionId(), { store }) };
  }

  test("the second to continue the conversation gets a conflict and writes nothing", async () => {
    const { one, other } = both();
    await one.appendAssistant("an answer", { endTurn: true });
    await expect(other.appendUser("another prompt")).rejects.toEqual(conflict);
    expect(() => other.appendSync({ type: "assistant", content: "x" })).toThrow(conflict);
    expect([...one.entries()].map(({ type }) => type)).toEqual([
      "session_start",
      "user",
      "assistant",
    ]);
  });

  test("quiet events of others are passed over, and quiet events are never refused", async () => {
    const { one, other } = both();
    await one.append({ type: "hook", event: "Stop" });
    await one.append({ type: "task", task: "t1" });
    await one.append({ type: "agent", name: "helper" });
    await one.append({ type: "checkpoint", label: "here" });
    await one.note("seen");
    await other.appendUser("goes on");
    await one.setTitle("a title");
    await one.note("still there");
    await expect(one.appendUser("not so")).rejects.toEqual(conflict);
  });

  test("reloading, `any`, the last id and a fork are the ways out", async () => {
    const { one, other } = both();
    const answer = await one.appendAssistant("an answer", { endTurn: true });
    const fork = other.fork();
    await fork.appendUser("apart");
    expect(other.reload()).toBe(answer.id);
    await other.appendUser("after a look");
    const last = await one.append({ type: "user", content: "whatever came" }, { after: "any" });
    await one.appendAssistant("and on", { endTurn: true });
    await expect(other.appendUser("again")).rejects.toEqual(conflict);
    await other.append({ type: "user", content: "I saw it" }, { after: last.id + 1 });
    await other.appendAssistant("goes on", { endTurn: true });
  });

  test("what one manager appends without waiting is no conflict with itself", async () => {
    const { one, other } = both();
    await other.note("between");
    const events = await Promise.all([
      one.append({ type: "custom", name: "state" }),
      one.appendUser("first"),
      one.append({ type: "file", path: "a", action: "read" }),
      one.appendAssistant("second"),
      one.appendUser("third"),
    ]);
    expect(events.map(({ id }) => id - events[0]!.id)).toEqual([0, 1, 2, 3, 4]);
    one.appendSync({ type: "assistant", content: "fourth" });
  });

  test("events and the path are read one by one", async () => {
    const { one } = both();
    await one.appendAssistant("answer", { endTurn: true });
    await one.rewind(2);
    await one.appendUser("another");
    expect(one.getEvent(3)).toMatchObject({ type: "assistant", content: "answer" });
    expect(one.getEvent(99)).toBeUndefined();
    expect([...one.entries({ from: 4 })].map(({ type }) => type)).toEqual(["rewind", "user"]);
    expect([...one.pathBack()].map(({ id }) => id)).toEqual([5, 4, 2, 1]);
    const [last] = one.pathBack({ limit: 1 });
    expect(last?.id).toBe(5);
    expect(one.path().map(({ id }) => id)).toEqual([1, 2, 4, 5]);
  });

  test("a session is closed at the end of its block", async () => {
    const { one } = both();
    await one[Symbol.asyncDispose]();
    if (one.getSessionFile() !== undefined)
      await expect(one.note("late")).rejects.toMatchObject({ code: "closed" });
  });
});

describe.each(everyStore)("two awaited managers of one session, in $engine", ({ open }) => {
  test("compare as the others do", async () => {
    const store = open();
    const one = await AsyncSessionManager.create("/", { store });
    await one.appendUser("begin");
    const other = await AsyncSessionManager.open(one.getSessionId(), { store });
    await one.note("quiet");
    await other.append({ type: "custom", name: "own" });
    await other.appendAssistant("answer", { endTurn: true });
    await expect(one.appendUser("unawares")).rejects.toEqual(conflict);
    await expect(one.compact({ keepTokens: 1 })).rejects.toEqual(conflict);
    await one.note("never refused");
    expect(await one.reload()).toBe(await other.getLeafId());
    await one.appendUser("aware");
    await other.append({ type: "user", content: "whatever" }, { after: "any" });
    expect(await other.getEvent(2)).toMatchObject({ content: "begin" });
    await store.close();
  });
});
