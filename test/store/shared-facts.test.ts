import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FileStore } from "../../src/store/files.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const secret = { passphrase: "correct horse" };

describe("facts that several change at once", () => {
  test("tags, labels and pins of one object all count", async () => {
    const dir = temporaryFolder();
    await SessionManager.create(dir, dir, { id: "x" }).close();
    // Opened and not written to yet: all of them wait for the lease.
    for (const session of [SessionManager.open("x", { dir }), SessionManager.inMemory()]) {
      await Promise.all([
        session.tag("one"),
        session.tag("two"),
        session.label(1, "begin"),
        session.label(2, "tagged"),
        session.pin(),
        session.untag("one"),
      ]);
      expect(session.getTags()).toEqual(["two"]);
      const last = session.path().findLast(({ type }) => type === "meta");
      expect(last).toMatchObject({ labels: { 1: "begin", 2: "tagged" }, pinned: true });
      await session.close();
    }
  });

  test("those of several objects count as well", async () => {
    const dir = temporaryFolder();
    const options = { dir, leasePerAppend: true };
    await SessionManager.create(dir, dir, { id: "x" }).close();
    const [a, b] = [SessionManager.open("x", options), SessionManager.open("x", options)];
    await Promise.all([a.tag("one"), b.tag("two"), a.tag("three"), b.pin()]);
    expect(a.getTags().toSorted()).toEqual(["one", "three", "two"]);
    await a.close();
    await b.close();
  });

  test("a tag that is refused changes nothing", async () => {
    const session = SessionManager.inMemory();
    await session.tag("kept");
    await expect(session.tag("t".repeat(10_000))).rejects.toMatchObject({ code: "too_large" });
    expect(session.getTags()).toEqual(["kept"]);
  });
});

describe("what was asked for holds also where there is something to continue", () => {
  test("a session in memory stays in memory", async () => {
    const dir = temporaryFolder();
    await SessionManager.create(dir, dir, { id: "x" }).close();
    const session = SessionManager.continueRecent(dir, dir, { persistence: "none" });
    expect(session.getSessionFile()).toBeUndefined();
    expect(session.isNew).toBe(true);
  });

  test("a sealed session is continued only in a sealed one", async () => {
    const dir = temporaryFolder();
    await SessionManager.create(dir, dir, { id: "x" }).close();
    const options = { seal: true, secret };
    const session = SessionManager.continueRecent(dir, dir, options);
    await session.appendUser("top secret");
    await session.close();
    expect(readFileSync(session.getSessionFile()!, "utf8")).not.toContain("top secret");
    const again = SessionManager.continueRecent(dir, dir, options);
    expect(again.getSessionId()).toBe(session.getSessionId());
    await again.close();
  });

  test("a fork of a sealed session in a store is read whole", async () => {
    const store = new FileStore(temporaryFolder(), { secret });
    await store.create({ type: "session_start", format: 1, session: "base" });
    await store.append("base", undefined, [{ type: "user", content: "hello" }]);
    await store.fork("base", undefined, { type: "session_start", format: 1, session: "fork" });
    await store.append("fork", undefined, [{ type: "user", content: "more" }]);
    const said: unknown[] = [];
    for await (const event of store.read("fork"))
      if (event.type === "user") said.push(event.content);
    expect(said).toEqual(["hello", "more"]);
    await store.close();
  });
});

describe("making room by itself", () => {
  const autoCompact = { windowTokens: 2000, reserveTokens: 500, keepTokens: 300 };

  test("needs no word of a model about its size", async () => {
    const session = SessionManager.inMemory("/", { autoCompact });
    for (let turn = 0; turn < 10; turn += 1) {
      await session.appendUser("word ".repeat(500));
      await session.appendAssistant("answer ".repeat(500));
    }
    const compactions = [];
    for await (const { type } of session.events())
      if (type === "compaction") compactions.push(type);
    expect(compactions.length).toBeGreaterThan(5);
  });

  test("a prompt is kept also where something else was appended while the summary was made", async () => {
    let summaries = 0;
    const session = SessionManager.inMemory("/", {
      autoCompact: {
        ...autoCompact,
        summarise: async () => {
          summaries += 1;
          await session.append({ type: "file", path: "/x", action: "modified" });
          return "summary";
        },
      },
    });
    for (let turn = 0; turn < 6; turn += 1) {
      session.appendSync({ type: "user", content: "word ".repeat(300) });
      session.appendSync({ type: "assistant", content: "answer ".repeat(300), endTurn: true });
    }
    await session.appendUser("the prompt");
    expect(summaries).toBe(1);
    expect(session.path().at(-1)).toMatchObject({ type: "user", content: "the prompt" });
  });
});

test("rewinding to what is not there rejects, like every append that fails", async () => {
  const session = SessionManager.inMemory();
  await expect(session.rewind(99)).rejects.toMatchObject({ code: "not_found" });
});

test("what a listener throws is its own error: the append stands, and the next listener hears of it", async () => {
  const thrown: unknown[] = [];
  const others = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.once("uncaughtException", (error) => thrown.push(error.message));
  try {
    const session = SessionManager.inMemory();
    const heard: number[] = [];
    session.subscribe(() => {
      throw new Error("the screen broke");
    });
    session.subscribe(({ id }) => heard.push(id));
    const { id } = await session.appendUser("pay 100");
    await new Promise(setImmediate);
    expect(heard).toEqual([id]);
    expect(thrown).toEqual(["the screen broke"]);
  } finally {
    for (const listener of others) process.on("uncaughtException", listener);
  }
});
