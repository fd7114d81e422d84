import { closeSync, openSync } from "node:fs";
import { expect, test } from "vitest";
import { verifyLog } from "../../src/log/verify.ts";
import { folderHome } from "../../src/store/home.ts";
import { type IncomingEvent, importSession } from "../../src/store/import.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

async function* each(events: readonly IncomingEvent[]): AsyncGenerator<IncomingEvent> {
  yield* events;
}

const start = { type: "session_start", format: 1, session: "s" } as const;

test("times that are none, or not as a log writes them, damage no line", async () => {
  const times = [
    'Jan 1 2026 (")',
    "1/2/2026",
    'yesterday "noon"',
    "2026-01-01T10:00:00.123456Z",
    "",
  ];
  for (const createdAt of times) {
    const dir = temporaryFolder();
    const events = times.map((at, index) => ({
      number: `${index + 2}`,
      at,
      body: { type: "user", content: `said ${index}` } as const,
    }));
    const { file } = await importSession(folderHome(dir), start, {
      events: each(events),
      createdAt,
    });
    const fd = openSync(file, "r");
    expect(verifyLog(fd, { firstId: 1, firstSum: "" })).toMatchObject({ events: 6, problems: [] });
    closeSync(fd);
    const session = SessionManager.open(file);
    expect(session.path().map(({ at }) => at.slice(-1))).toEqual(Array(6).fill("Z"));
    expect(session.path()[4]!.at).toBe("2026-01-01T10:00:00.123456Z");
    await session.close();
  }
});

test("a label stays with the event it names where that gets another number", async () => {
  const dir = temporaryFolder();
  const { file } = await importSession(folderHome(dir), start, {
    events: each([
      { number: "7", body: { type: "user", content: "asked" } },
      { number: "9", body: { type: "assistant", content: "answered" } },
      { number: "10", body: { type: "meta", labels: { 9: "here" } } },
    ]),
  });
  const session = SessionManager.open(file);
  const labelled = session.path().find(({ id }) => id === 3);
  expect(labelled).toMatchObject({ content: "answered" });
  expect(session.path().at(-1)).toMatchObject({ labels: { 3: "here" } });
  await session.close();
});

test("a fork upon more forks than can be read is refused when it is made", async () => {
  const dir = temporaryFolder();
  let session = SessionManager.create(dir, dir, { sync: "none" });
  session.appendSync({ type: "user", content: "root" });
  for (let depth = 0; depth < 256; depth += 1) {
    const fork = session.fork();
    await session.close();
    session = fork;
  }
  expect(session.path().some((event) => event.type === "user")).toBe(true);
  expect(() => session.fork()).toThrow(/forks upon forks/);
  const early = session.fork(2);
  expect(early.path()).toHaveLength(3);
  await early.close();
  await session.close();
});
