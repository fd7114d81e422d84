import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { verifyLog } from "../../src/log/verify.ts";
import { SessionManager } from "../../src/store/session-manager.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const run = promisify(execFile);
const child = (name: string) => fileURLToPath(new URL(`children/${name}.mjs`, import.meta.url));

async function freshSession(): Promise<string> {
  const folder = temporaryFolder();
  const session = SessionManager.create(folder, folder, { id: "s", sync: "none" });
  await session.close();
  return join(folder, "s.jsonl");
}

test("8 processes with 500 appends each on one session: 4,000 events, none lost, none doubled, the chain holds", async () => {
  const file = await freshSession();
  const [processes, appends] = [8, 500];
  const outputs = await Promise.all(
    Array.from({ length: processes }, (_, index) =>
      run(process.execPath, [child("appender"), file, `p${index}`, String(appends)]),
    ),
  );
  const ids = outputs.flatMap(({ stdout }) => JSON.parse(stdout) as number[]);
  const expected = Array.from({ length: processes * appends }, (_, index) => index + 2);
  expect(ids.toSorted((a, b) => a - b)).toEqual(expected);

  const session = SessionManager.open(file);
  const texts = new Set<unknown>();
  for await (const event of session.events()) if (event.type === "note") texts.add(event.content);
  await session.close();
  expect(texts.size).toBe(processes * appends);
  const fd = openSync(file, "r");
  const verified = verifyLog(fd, { firstId: 1, firstSum: "" });
  closeSync(fd);
  expect(verified).toMatchObject({
    events: 4_001,
    problems: [],
    unverified: 0,
    unfinishedBytes: 0,
  });
}, 120_000);

test("a holder that keeps the lease: the second waits its time, then gets session_busy with the holder's pid", async () => {
  const file = await freshSession();
  const holder = spawn(process.execPath, [child("holder"), file], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(holder.stdout, "data");
  const session = SessionManager.open(file, { waitMs: 300 });
  const busy = expect.objectContaining({
    code: "session_busy",
    details: expect.objectContaining({ pid: holder.pid }),
    message: expect.stringContaining(`process ${holder.pid}`),
  });
  const beganMs = performance.now();
  await expect(session.append({ type: "note", content: "mine too" })).rejects.toEqual(busy);
  expect(performance.now() - beganMs).toBeGreaterThan(290);
  expect(() => session.appendSync({ type: "note", content: "mine too" })).toThrow(busy);
  holder.stdin.end();
  await once(holder, "close");
  const event = await session.append({ type: "note", content: "now" });
  expect(event.id).toBeGreaterThan(2);
  await session.close();
});

test("a session that is removed while it is forked: the fork reads all of it, or is refused", async () => {
  for (const seed of ["1", "2"]) {
    const folder = temporaryFolder();
    const rounds = 200;
    const { stdout } = await run(process.execPath, [child("fork-race"), folder, `${rounds}`, seed]);
    const { forked, refused, broken } = JSON.parse(stdout) as Record<string, number>;
    expect(broken, `seed ${seed}`).toBe(0);
    expect(forked! + refused!).toBe(rounds);
    expect(forked, `seed ${seed}`).toBeGreaterThan(0);
    expect(refused, `seed ${seed}`).toBeGreaterThan(0);
  }
}, 120_000);
