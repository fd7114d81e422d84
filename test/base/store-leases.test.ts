import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type LeaseHolder, thisHolder } from "../../src/base/holder.ts";
import { takeLeaseSync, tryLease } from "../../src/base/lease.ts";
import { limits } from "../../src/base/limits.ts";
import { storeHolder, storeLease, sweepLeases } from "../../src/base/store-leases.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

const own = thisHolder();
const dead: LeaseHolder = { ...own, startTime: "1", nonce: "dead" };
const foreign: LeaseHolder = { ...own, host: "elsewhere/1", nonce: "foreign" };

/** A store's folder of leases, and the one of older versions beside it. */
function store(): { readonly root: string; readonly old: string } {
  const home = temporaryFolder();
  return { root: join(home, "writers"), old: join(home, "leases") };
}

function plant(folder: string, file: string, holder: LeaseHolder, agoMs = 0): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, file);
  writeFileSync(path, JSON.stringify(holder));
  const at = new Date(Date.now() - agoMs);
  utimesSync(path, at, at);
  return path;
}

test("each session has a folder of its own, which goes with its lease", () => {
  const { root } = store();
  const lease = takeLeaseSync(storeLease(root, "one"));
  expect(readdirSync(root)).toEqual(["one"]);
  expect(readdirSync(join(root, "one"))).toEqual(["one.lease.1"]);
  expect(statSync(join(root, "one")).mode & 0o777).toBe(0o700);
  expect(storeHolder(root, "one")).toEqual(lease.holder);
  const other = takeLeaseSync(storeLease(root, "two"));
  lease.release();
  expect(readdirSync(root)).toEqual(["two"]);
  expect(storeHolder(root, "one")).toBeUndefined();
  other.release();
  expect(readdirSync(root)).toEqual([]);
});

test("while a process of an older version holds a lease of any session, nobody takes one, and it is named", () => {
  const { root, old } = store();
  const path = plant(old, "s.lease.3", { ...foreign, pid: 4711 });
  expect(tryLease(storeLease(root, "other"))).toMatchObject({
    taken: false,
    holder: { pid: 4711 },
  });
  expect(() => takeLeaseSync(storeLease(root, "s"), { waitMs: 0 })).toThrow(
    expect.objectContaining({ code: "session_busy", details: { pid: 4711, host: foreign.host } }),
  );
  expect(storeHolder(root, "s")).toMatchObject({ pid: 4711 });
  expect(existsSync(path)).toBe(true);
});

test("once the leases of older versions are dead or silent, they can take none any more", () => {
  const { root, old } = store();
  plant(old, "s.lease.1", dead);
  plant(old, "t.lease.999999999999999", foreign, limits.leaseStaleMs + 1_000);
  plant(old, "t.lease.2.nonce.tmp", foreign, limits.leaseStaleMs + 1_000);
  const lease = takeLeaseSync(storeLease(root, "s"), { waitMs: 0 });
  expect(statSync(old).isFile()).toBe(true);
  expect(storeHolder(root, "t")).toBeUndefined();
  // What an older version does first: it lists the folder, then writes into it, then makes it.
  expect(() => readdirSync(old)).toThrow(/ENOTDIR/);
  expect(() => writeFileSync(join(old, "s.lease.1.tmp"), "")).toThrow(/ENOTDIR/);
  expect(() => mkdirSync(old, { recursive: true })).toThrow(/EEXIST/);
  lease.release();
  takeLeaseSync(storeLease(root, "s"), { waitMs: 0 }).release();
});

test("sweeping removes the leases of dead processes and empty folders, and nothing that may be in use", () => {
  const { root } = store();
  plant(join(root, "dead"), "dead.lease.1", dead);
  plant(join(root, "forgotten"), "forgotten.lease.2", foreign, limits.leaseForgottenMs + 1_000);
  plant(join(root, "silent"), "silent.lease.1", foreign, limits.leaseStaleMs + 1_000);
  plant(join(root, "live"), "live.lease.1", foreign);
  plant(join(root, "both"), "both.lease.1", dead);
  plant(join(root, "both"), "both.lease.2", foreign);
  plant(join(root, "crashed"), "crashed.lease.1.n.tmp", dead, limits.leaseStaleMs + 1_000);
  mkdirSync(join(root, "empty"));
  mkdirSync(join(root, "not a session"));
  writeFileSync(join(root, "a-file"), "");
  const lease = takeLeaseSync(storeLease(root, "mine"));
  sweepLeases(root);
  expect(readdirSync(root).sort()).toEqual(
    ["a-file", "both", "live", "mine", "not a session", "silent"].sort(),
  );
  expect(lease.isKept()).toBe(true);
  lease.release();
});

test("a sweep looks at no more folders than it is told to", () => {
  const { root } = store();
  for (let n = 0; n < 10; n += 1) plant(join(root, `s${n}`), `s${n}.lease.1`, dead);
  sweepLeases(root, 4);
  expect(readdirSync(root)).toHaveLength(6);
});

test("a store that cannot be swept, or is not there, holds nobody up", () => {
  const { root } = store();
  expect(() => sweepLeases(root)).not.toThrow();
  writeFileSync(root, "not a folder");
  expect(() => sweepLeases(root)).not.toThrow();
});
