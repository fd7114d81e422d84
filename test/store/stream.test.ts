import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { limits } from "../../src/base/limits.ts";
import type { SessionEvent } from "../../src/model/event.ts";
import { readHeadAndFacts } from "../../src/store/head.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

type Kind = "file" | "memory";

function begin(kind: Kind): SessionManager {
  const session =
    kind === "memory"
      ? SessionManager.inMemory("/tmp")
      : SessionManager.create("/tmp", temporaryFolder());
  session.appendSync({ type: "user", content: "hello" });
  return session;
}

async function all(session: SessionManager, raw = false): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const event of session.events({ raw })) events.push(event);
  return events;
}

function said(session: SessionManager): readonly string[] {
  return session
    .buildSessionContext()
    .messages.flatMap(({ role, content }) =>
      content.flatMap((block) => (block.type === "text" ? [`${role}: ${block.text}`] : [])),
    );
}

/** Resolves when so many parts of a session were acknowledged. */
function parts(session: SessionManager, count: number): Promise<void> {
  return vi.waitFor(async () => {
    const found = (await all(session, true)).filter(({ type }) => type === "part");
    expect(found.length).toBeGreaterThanOrEqual(count);
  });
}

describe.each<Kind>(["file", "memory"])("a stream into a session in a %s", (kind) => {
  test("what is said is one event with its usage, and the turn ends as the stop reason says", async () => {
    const session = begin(kind);
    const out = session.stream({ message: "msg_1", model: "m" });
    out.text("Nice to ");
    await parts(session, 1);
    out.text("meet you");
    const events = await out.end({ usage: { input: 3, output: 2 }, stopReason: "end_turn" });
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      type: "assistant",
      content: "Nice to meet you",
      message: "msg_1",
      model: "m",
      usage: { input: 3, output: 2 },
      stopReason: "end_turn",
      endTurn: true,
    });
    expect((await all(session)).map(({ type }) => type)).toEqual([
      "session_start",
      "user",
      "assistant",
    ]);
    expect(said(session)).toEqual(["user: hello", "assistant: Nice to meet you"]);
    expect(session.usage()).toEqual({ input: 3, output: 2 });
    await session.close();
  });

  test("thinking, saying and calling become events of one message in their order", async () => {
    const session = begin(kind);
    const out = session.stream();
    out.thinking("hm", { signature: "sig" });
    out.text("I look.");
    out.toolUse("c1", "read", { path: "a" });
    out.toolUse("c2", "read", { path: "b" });
    const events = await out.end({ usage: { output: 9 }, stopReason: "tool_use" });
    expect(events.map(({ type }) => type)).toEqual([
      "thinking",
      "assistant",
      "tool_use",
      "tool_use",
    ]);
    expect(events[0]).toMatchObject({ content: "hm", signature: "sig" });
    expect(events.filter((event) => "usage" in event)).toEqual([events[3]]);
    expect(new Set(events.map((event) => "message" in event && event.message)).size).toBe(1);
    await session.close();
  });

  test("while it is said everybody sees one unfinished text, and its fork keeps it", async () => {
    const session = begin(kind);
    const out = session.stream();
    out.text("first ");
    await parts(session, 1);
    out.text("second ");
    await parts(session, 2);
    await session.note("between");
    const seen = (await all(session)).filter(({ type }) => type === "assistant");
    expect(seen).toMatchObject([{ content: "first second ", unfinished: true }]);
    expect(said(session)).toEqual(["user: hello", "assistant: first second "]);
    const fork = session.fork(seen[0]!.id);
    expect(said(fork)).toEqual(["user: hello", "assistant: first second "]);
    expect(session.branches()).toHaveLength(1);
    await out.end();
    expect(said(session)).toEqual(["user: hello", "assistant: first second "]);
    expect(said(fork)).toEqual(["user: hello", "assistant: first second "]);
    await Promise.all([session.close(), fork.close()]);
  });

  test("a prompt in the middle comes after what was said before it", async () => {
    const session = begin(kind);
    const out = session.stream();
    out.text("before ");
    await parts(session, 1);
    await session.appendUser("stop, do this");
    out.text("after");
    await out.end({ stopReason: "end_turn" });
    expect(said(session)).toEqual([
      "user: hello",
      "assistant: before ",
      "user: stop, do this",
      "assistant: after",
    ]);
    session.appendSync({ type: "user", content: "and now" });
    expect((await all(session)).some((event) => "unfinished" in event)).toBe(false);
    await session.close();
  });

  test("an aborted stream keeps what was said, as unfinished, with the reason", async () => {
    const session = begin(kind);
    const controller = new AbortController();
    const out = session.stream({ signal: controller.signal });
    out.text("I was abou");
    controller.abort();
    const [event] = await out.end();
    expect(event).toMatchObject({
      content: "I was abou",
      unfinished: true,
      stopReason: "aborted",
    });
    expect(() => out.text("t to")).toThrow("The stream is over");
    await session.close();
  });

  test("closing the session keeps what an open stream said", async () => {
    const session = begin(kind);
    session.stream().text("half a sen");
    const heard: SessionEvent[] = [];
    session.subscribe((event) => heard.push(event));
    await session.close();
    expect(heard).toMatchObject([{ type: "assistant", content: "half a sen", unfinished: true }]);
  });

  test("half a character waits for its other half", async () => {
    const session = begin(kind);
    const out = session.stream();
    out.text("a\ud83d");
    await parts(session, 1);
    out.text("\ude00b");
    await parts(session, 2);
    expect(said(session).at(-1)).toBe("assistant: a😀b");
    await out.end();
    expect(said(session).at(-1)).toBe("assistant: a😀b");
    await session.close();
  });

  test("a compaction and a rewind while a text is read in parts leave one text each", async () => {
    const session = begin(kind);
    const out = session.stream();
    out.text("x".repeat(limits.partBytes));
    out.text("y".repeat(limits.partBytes));
    const before = (await all(session)).at(-1)!;
    out.text("z");
    await out.end({ stopReason: "end_turn" });
    await session.rewind(before.id);
    expect(said(session).at(-1)).toBe(
      `assistant: ${"x".repeat(limits.partBytes)}${"y".repeat(limits.partBytes)}`,
    );
    await session.appendUser("next");
    await session.compact({ keepTokens: 0 });
    expect(said(session).at(-1)).toBe("user: next");
    await session.close();
  });
});

test("a list says that a session left in the middle of a text was interrupted", async () => {
  const session = begin("file");
  await session.appendAssistant("done", { stopReason: "end_turn" });
  const out = session.stream();
  out.text("x".repeat(limits.partBytes));
  const path = session.getSessionFile()!;
  expect(readHeadAndFacts(path).head.state).toBe("interrupted");
  await out.end();
  expect(readHeadAndFacts(path).head.state).toBe("waiting");
  await session.close();
});

test("a sealed session streams like any other", async () => {
  const folder = temporaryFolder();
  const how = { secret: { passphrase: "p" } };
  const session = SessionManager.create("/tmp", folder, { seal: true, ...how });
  const out = session.stream();
  out.text("secret ".repeat(1000));
  await session.note("n");
  expect(said(session)).toEqual([`assistant: ${"secret ".repeat(1000)}`]);
  await out.end();
  await session.close();
  const again = SessionManager.open(join(folder, `${session.getSessionId()}.jsonl`), how);
  expect(said(again)).toEqual([`assistant: ${"secret ".repeat(1000)}`]);
  await again.close();
});
