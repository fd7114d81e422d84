import { describe, expect, test } from "vitest";
import type { ContextMessage } from "../../src/context/messages.ts";
import type { SessionEvent } from "../../src/model/event.ts";
import { AsyncSessionManager } from "../../src/store/async-session-manager.ts";
import { temporaryFolder } from "../temporary-folder.mjs";
import { everyStore } from "./stores.ts";

const textOf = ({ content }: ContextMessage): string =>
  content.map((block) => (block.type === "text" ? block.text : "")).join("");

async function said(session: AsyncSessionManager): Promise<readonly string[]> {
  return (await session.buildSessionContext()).messages.map(textOf);
}

async function all(events: AsyncIterable<SessionEvent>): Promise<readonly SessionEvent[]> {
  const gathered: SessionEvent[] = [];
  for await (const event of events) gathered.push(event);
  return gathered;
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

describe.each(everyStore)("a session that is awaited, in $engine", ({ open }) => {
  test("is made, appended to, and opened again as it was", async () => {
    const store = open();
    const session = await AsyncSessionManager.create("/", { store, title: "first", tags: ["a"] });
    expect(session.isNew).toBe(true);
    await session.appendSystem("Be brief.");
    await session.appendUser("hello");
    await session.appendToolUse("c1", "Read", { path: "x" });
    await session.appendToolResult("c1", "content");
    const answer = await session.appendAssistant("done", {
      usage: { input: 10, output: 2 },
      endTurn: true,
    });
    expect(answer).toMatchObject({ type: "assistant", endTurn: true });
    await session.close();
    const again = await AsyncSessionManager.open(session.getSessionId(), { store });
    expect(again.isNew).toBe(false);
    expect(await again.getLeafId()).toBe(6);
    expect(await again.getTitle()).toBe("first");
    expect(await again.getTags()).toEqual(["a"]);
    expect(await again.usage()).toEqual({ input: 10, output: 2 });
    expect(again.getHeader().session).toBe(session.getSessionId());
    expect((await all(again.events())).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6]);
    await expect(session.note("late")).rejects.toMatchObject({ code: "closed" });
    await store.close();
  });

  test("is found by any key, and continued as the newest of its folder", async () => {
    const store = open();
    const cwd = temporaryFolder();
    const first = await AsyncSessionManager.create(cwd, { store, key: "Thread/ÄÖ 1" });
    await first.appendUser("one");
    const found = await AsyncSessionManager.open({ key: "Thread/ÄÖ 1" }, { store });
    expect(await found.getLeafId()).toBe(2);
    await expect(AsyncSessionManager.open({ key: "thread/ÄÖ 1" }, { store })).rejects.toMatchObject(
      { code: "not_found" },
    );
    const recent = await AsyncSessionManager.continueRecent(cwd, { store });
    expect(recent.isNew).toBe(false);
    expect(recent.getSessionId()).toBe(first.getSessionId());
    const other = await AsyncSessionManager.continueRecent(temporaryFolder(), { store });
    expect(other.isNew).toBe(true);
    expect(await AsyncSessionManager.listAll({ store })).toHaveLength(2);
    expect(await AsyncSessionManager.list(cwd, { store })).toHaveLength(1);
    await store.close();
  });

  test("goes back, and its branches and tree show both ways", async () => {
    const store = open();
    const session = await AsyncSessionManager.create("/", { store });
    await session.appendUser("one");
    const kept = await session.appendAssistant("two");
    await session.appendUser("three");
    await session.rewind(kept.id, "try again");
    await session.appendUser("other");
    expect((await session.path()).map(({ id }) => id)).toEqual([1, 2, 3, 5, 6]);
    expect((await session.path(4)).map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(await said(session)).toEqual(["one", "two", "other"]);
    expect((await session.branches()).map(({ leaf }) => leaf)).toEqual([6, 4]);
    expect((await session.tree())[0]).toMatchObject({ id: 1, children: [{ id: 2 }] });
    await expect(session.rewind(99)).rejects.toMatchObject({ code: "not_found" });
    await session.clear();
    expect(await said(session)).toEqual([]);
    await store.close();
  });

  test("is forked with what it shares, and both go on apart", async () => {
    const store = open();
    const session = await AsyncSessionManager.create("/", { store, title: "base", model: "m" });
    await session.appendUser("one");
    const at = await session.appendAssistant("two");
    await session.appendUser("three");
    const fork = await session.fork(at.id, { tags: ["fork"] });
    await fork.appendUser("other");
    expect(await said(fork)).toEqual(["one", "two", "other"]);
    expect(await said(session)).toEqual(["one", "two", "three"]);
    expect(await fork.getTitle()).toBe("base");
    expect(fork.getHeader()).toMatchObject({ model: "m", tags: ["fork"] });
    await expect(session.fork(99)).rejects.toMatchObject({ code: "not_found" });
    await store.close();
  });

  test("is compacted, and what lies before costs the context nothing", async () => {
    const store = open();
    const session = await AsyncSessionManager.create("/", { store });
    await session.appendSystem("Be brief.");
    for (let turn = 0; turn < 6; turn += 1) {
      await session.appendUser(`prompt ${turn} ${"words ".repeat(100)}`);
      await session.appendAssistant(`answer ${turn}`);
    }
    const compaction = await session.compact({ keepTokens: 300, summarise: () => "In short." });
    expect(compaction).toMatchObject({ type: "compaction", summary: "In short." });
    const messages = await said(session);
    expect(messages[0]).toBe("Be brief.");
    expect(messages[1]).toContain("In short.");
    expect(messages.at(-1)).toBe("answer 5");
    expect(messages.length).toBeLessThan(10);
    await store.close();
  });

  test("compacts by itself before a prompt that would leave too little room", async () => {
    const store = open();
    const summarise = () => "In short.";
    const autoCompact = { windowTokens: 1500, reserveTokens: 500, keepTokens: 300, summarise };
    const session = await AsyncSessionManager.create("/", { store, autoCompact });
    const types: string[] = [];
    session.subscribe(({ type }) => types.push(type));
    for (let turn = 0; turn < 12; turn += 1) {
      await session.appendUser(`prompt ${turn} ${"words ".repeat(100)}`);
      await session.appendAssistant(`answer ${turn}`);
    }
    expect(types).toContain("compaction");
    expect((await session.buildSessionContext()).contextTokens).toBeLessThan(1500);
    await store.close();
  });

  test("goes on in a new session from a summary, and those who follow it go along", async () => {
    const store = open();
    const session = await AsyncSessionManager.create("/", { store, title: "long", maxBytes: 4000 });
    const first = session.getSessionId();
    const seen: string[] = [];
    const following = (async () => {
      for await (const event of session.follow({ from: 1 })) {
        seen.push(event.type);
        if (event.type === "note") return;
      }
    })();
    for (let turn = 0; session.getSessionId() === first; turn += 1) {
      await session.appendUser(`prompt ${turn} ${"words ".repeat(50)}`);
      await session.appendAssistant(`answer ${turn}`);
    }
    expect(await session.getTitle()).toBe("long");
    expect(session.getHeader().continues?.session).toBe(first);
    await session.note("seen");
    await following;
    expect(seen).toContain("session_end");
    expect(seen.filter((type) => type === "session_start")).toHaveLength(2);
    const late = await AsyncSessionManager.open(first, { store, maxBytes: 4000 });
    await late.appendUser("goes on there");
    expect(late.getSessionId()).toBe(session.getSessionId());
    await store.close();
  });

  test("tells subscribers and followers of every event, and stops with its close", async () => {
    const store = open();
    const session = await AsyncSessionManager.create("/", { store });
    const heard: number[] = [];
    session.subscribe(({ id }) => heard.push(id));
    const reached = withResolvers();
    const followed: number[] = [];
    const following = (async () => {
      for await (const { id } of session.follow({ from: 2 })) {
        followed.push(id);
        if (id === 4) reached.resolve();
      }
    })();
    await Promise.all([session.appendUser("2"), session.note("3"), session.appendUser("4")]);
    await reached.promise;
    await session.close();
    await following;
    expect(heard).toEqual([2, 3, 4]);
    expect(followed).toEqual([2, 3, 4]);
    await store.close();
  });

  test("holds what a model says as one text while it comes in, and when it is over", async () => {
    const store = open();
    const session = await AsyncSessionManager.create("/", { store });
    await session.appendUser("hello");
    const out = session.stream({ message: "m" });
    out.text(`one ${"x".repeat(5000)} `);
    out.text("two");
    await session.note("a remark");
    expect((await said(session)).at(-1)).toMatch(/^one x+ $/);
    const events = await out.end({ usage: { output: 3 } });
    expect(events).toHaveLength(1);
    expect((await said(session)).at(-1)).toMatch(/^one x+ two$/);
    expect((await all(session.events())).map(({ type }) => type)).not.toContain("part");
    expect((await all(session.events({ raw: true }))).map(({ type }) => type)).toContain("part");
    await session.close();
    await store.close();
  });

  test("keeps the order of appends that nobody waited for, as they were when they were asked for", async () => {
    const store = open();
    const session = await AsyncSessionManager.create("/", { store });
    const body = { type: "user" as const, content: "" };
    const appends = Array.from({ length: 20 }, (_, index) => {
      body.content = `${index}`;
      return session.append(body);
    });
    await Promise.all(appends);
    const contents = (await session.path()).flatMap((event) =>
      event.type === "user" ? [event.content] : [],
    );
    expect(contents).toEqual(Array.from({ length: 20 }, (_, index) => `${index}`));
    await store.close();
  });

  test("loses no tag of several who add one at the same time", async () => {
    const store = open();
    const session = await AsyncSessionManager.create("/", { store, id: "a" });
    const others = await Promise.all(
      Array.from({ length: 8 }, () => AsyncSessionManager.open("a", { store })),
    );
    await Promise.all(others.map((other, index) => other.tag(`t${index}`)));
    expect([...(await session.getTags())].sort()).toEqual(others.map((_, index) => `t${index}`));
    await store.close();
  });

  test("refuses an append after an event that is not the last, and writes nothing", async () => {
    const store = open();
    const session = await AsyncSessionManager.create("/", { store });
    await session.appendUser("2");
    await expect(
      session.append({ type: "user", content: "stale" }, { after: 1 }),
    ).rejects.toMatchObject({ code: "conflict", details: { last: 2 } });
    await expect(session.append({ type: "user" } as never)).rejects.toMatchObject({
      code: "bad_event",
    });
    expect(await session.getLeafId()).toBe(2);
    await store.close();
  });
});
