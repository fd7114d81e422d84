import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type LeaseHolder, thisHolder } from "../../src/base/holder.ts";
import { limits } from "../../src/base/limits.ts";
import { appendNote, readAll, sessionWith, verified } from "./damaged-session.ts";

/** Leaves a lease behind as a process that is gone, or far away, would. */
function leave(folder: string, content: string): string {
  const leases = join(folder, ".reprise", "writers", "s");
  mkdirSync(leases, { recursive: true });
  const path = join(leases, "s.lease.1");
  writeFileSync(path, content);
  return path;
}

function silence(path: string): void {
  const past = new Date(Date.now() - limits.leaseStaleMs - 1_000);
  utimesSync(path, past, past);
}

const elsewhere: LeaseHolder = { host: "another-host", pid: 4711, nonce: "n-1" };

test.each([
  ["an empty lease", "", { pid: 0, host: "unknown" }],
  ["a lease that is no JSON", "\u0000\u0000\u0000", { pid: 0, host: "unknown" }],
  ["a lease of another host", JSON.stringify(elsewhere), { pid: 4711, host: "another-host" }],
])(
  "%s keeps writers waiting while it may be alive, and no longer",
  async (_what, content, details) => {
    const { folder, file } = await sessionWith(2);
    const lease = leave(folder, content);
    await expect(appendNote(file, "x", { waitMs: 30 })).rejects.toMatchObject({
      code: "session_busy",
      details,
    });
    expect((await readAll(file)).events, "readers need no lease").toHaveLength(3);
    silence(lease);
    expect((await appendNote(file, "kept", { waitMs: 30 })).id).toBe(4);
    expect(verified(file).problems).toEqual([]);
  },
);

test("a lease whose process number was given to another process is free at once", async () => {
  const { folder, file } = await sessionWith(2);
  leave(folder, JSON.stringify({ ...thisHolder(), startTime: "1", nonce: "long-ago" }));
  expect((await appendNote(file, "kept", { waitMs: 0 })).id).toBe(4);
  expect(readdirSync(join(folder, ".reprise", "writers"))).toEqual([]);
});

test("a lease of another boot may be a copy of this machine on a shared folder: it holds while it is heard of", async () => {
  const { folder, file } = await sessionWith(2);
  const lease = leave(
    folder,
    JSON.stringify({ ...thisHolder(), bootId: "another-boot", nonce: "n" }),
  );
  await expect(appendNote(file, "x", { waitMs: 0 })).rejects.toMatchObject({
    code: "session_busy",
  });
  silence(lease);
  expect((await appendNote(file, "kept", { waitMs: 0 })).id).toBe(4);
});

test("a torn tail under a live lease is a write in progress, and damage once the holder is gone", async () => {
  const { folder, file } = await sessionWith(2);
  const lease = leave(folder, JSON.stringify(elsewhere));
  writeFileSync(file, '{"id":4,"parent":3,"at":"2026', { flag: "a" });
  expect((await readAll(file)).damage).toEqual([]);
  silence(lease);
  expect((await readAll(file)).damage).toMatchObject([{ kind: "torn_tail", length: 29 }]);
});
