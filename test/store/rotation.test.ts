import { expect, test } from "vitest";
import { SessionManager } from "../../src/store/session-manager.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const long = "x".repeat(30_000);

test("what is continued after a rotation is the new session, however close their times are", async () => {
  for (let round = 0; round < 10; round += 1) {
    const dir = temporaryFolder();
    const session = SessionManager.create(dir, dir);
    await session.appendUser("hello");
    await session.appendAssistant("hi");
    await session.compact({ strategy: "rotate" });
    const now = session.getSessionId();
    await session.close();
    const again = SessionManager.continueRecent(dir, dir);
    expect(again.getSessionId()).toBe(now);
    await again.close();
  }
});

test("two that write to a session of which one rotates it go on in the same one", async () => {
  const dir = temporaryFolder();
  const options = { maxBytes: 20_000, leasePerAppend: true };
  const first = SessionManager.create(dir, dir, { id: "chat", ...options });
  await first.appendUser(long);
  const second = SessionManager.open("chat", { dir, ...options });
  await first.appendUser("from the first");
  await second.appendUser("from the second");
  expect(second.getSessionId()).toBe(first.getSessionId());
  expect(second.getSessionId()).not.toBe("chat");
  const said = second.path().map((event) => ("content" in event ? event.content : event.type));
  expect(said).toEqual(["session_start", "compaction", "from the first", "from the second"]);
  await first.close();
  await second.close();
});

test("a rotated session that is opened again by its id goes on where it went on", async () => {
  const dir = temporaryFolder();
  const session = SessionManager.create(dir, dir, { id: "chat", maxBytes: 20_000 });
  await session.appendUser(long);
  session.appendSync({ type: "user", content: "next" });
  const now = session.getSessionId();
  await session.close();
  const again = SessionManager.open("chat", { dir, maxBytes: 20_000 });
  again.appendSync({ type: "user", content: "and next" });
  expect(again.getSessionId()).toBe(now);
  await again.close();
  expect(await SessionManager.list(dir, dir)).toHaveLength(2);
});

test("a rotation whose new session never came to be is made again", async () => {
  const dir = temporaryFolder();
  const session = SessionManager.create(dir, dir, { id: "chat", maxBytes: 20_000 });
  await session.appendUser(long);
  await session.append({ type: "session_end", reason: "rotated", rotatedTo: "nowhere" });
  await session.appendUser("next");
  expect(session.getSessionId()).not.toBe("chat");
  await session.close();
});

test("a summary of what others have since added to is not rotated to", async () => {
  const dir = temporaryFolder();
  const session = SessionManager.create(dir, dir, { leasePerAppend: true });
  await session.appendUser("hello");
  const other = SessionManager.open(session.getSessionFile()!, { leasePerAppend: true });
  const rotated = session.compact({
    strategy: "rotate",
    summarise: async () => {
      await other.appendUser("meanwhile");
      return "said hello";
    },
  });
  await expect(rotated).rejects.toMatchObject({ code: "conflict" });
  expect(await SessionManager.list(dir, dir)).toHaveLength(1);
  await session.close();
  await other.close();
});

test("pin, title, tags and the model in use come along", async () => {
  const dir = temporaryFolder();
  const session = SessionManager.create(dir, dir, { maxBytes: 20_000, title: "T", tags: ["a"] });
  await session.pin();
  await session.appendUser(long);
  await session.appendAssistant("ok", { model: "model-2" });
  await session.appendUser("next");
  const [head] = await SessionManager.list(dir, dir);
  expect(head).toMatchObject({ session: session.getSessionId(), pinned: true, title: "T" });
  expect(head).toMatchObject({ tags: ["a"], model: "model-2" });
  await session.close();
});
