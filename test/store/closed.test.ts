import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SessionManager } from "../../src/store/session-manager.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

test("a closed session refuses to be read, also where its file's number belongs to another by now", async () => {
  const dir = temporaryFolder();
  const closed = SessionManager.create(dir, dir, { id: "a", title: "A" });
  await closed.appendUser("said in A");
  await closed.close();
  const others = ["b", "c", "d"].map((id) => SessionManager.create(dir, dir, { id }));
  for (const other of others) await other.appendUser("said in another");
  const reads = [
    () => closed.path(),
    () => closed.getTitle(),
    () => closed.getTags(),
    () => closed.getLeafId(),
    () => closed.tree(),
    () => closed.branches(),
    () => closed.usage(),
    () => closed.buildSessionContext(),
    () => closed.fork(),
  ];
  for (const read of reads) expect(read).toThrow(/Session a is closed/);
  await expect(closed.events().next()).rejects.toThrow(/Session a is closed/);
  expect(closed.getSessionId()).toBe("a");
  for (const other of others) await other.close();
});

test("a session that is closed while it is read ends the reading", async () => {
  const dir = temporaryFolder();
  const session = SessionManager.create(dir, dir);
  for (let turn = 0; turn < 5; turn += 1) await session.appendUser("x".repeat(20_000));
  const events = session.events();
  await events.next();
  await session.close();
  await expect(events.next()).rejects.toMatchObject({ code: "closed" });
});

test("two closes at once are one, and write what was queued", async () => {
  const dir = temporaryFolder();
  await SessionManager.create(dir, dir, { id: "x" }).close();
  const session = SessionManager.open("x", { dir });
  const queued = session.appendUser("queued");
  await Promise.all([session.close(), session.close()]);
  await session.close();
  expect((await queued).id).toBe(2);
});

test("an append to a closed session is refused, whether it was written to before or not, and keeps nobody out", async () => {
  const dir = temporaryFolder();
  await SessionManager.create(dir, dir, { id: "x" }).close();
  for (const writes of [false, true]) {
    const session = SessionManager.open("x", { dir });
    if (writes) await session.appendUser("before");
    await session.close();
    await expect(session.appendUser("late")).rejects.toMatchObject({ code: "closed" });
    expect(() => session.appendSync({ type: "user", content: "late" })).toThrow(/is closed/);
  }
  const leases = readdirSync(join(dir, ".reprise", "writers")).filter((name) =>
    name.startsWith("x.lease."),
  );
  expect(leases).toEqual([]);
});
