import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.mjs";
import { stormRewinds } from "./rewind.mjs";

const seed = 20_261_118;

test(`killed anywhere, a checkpoint, a rewind, an undo or a redo loses and tears no file, and is settled by the next change (seed ${seed})`, async () => {
  const totals = await stormRewinds({ rounds: 24, seed, jobs: 2 });
  expect(totals.problems, `seed ${seed}`).toEqual([]);
  expect(totals.rounds).toBe(24);
  expect(totals.kills).toBeGreaterThan(8);
}, 120_000);

const child = join(import.meta.dirname, "children", "full-disk.mjs");

/** A small disk that only the process sees; where none may be mounted, files that may not grow. */
const onSmallDisk = `mount -t tmpfs -o size=24m,nr_inodes=900 tmpfs "$1" && exec "$2" "$3" "$1"`;
const whereFilesMayNotGrow = `ulimit -f 256; exec "$2" "$3" "$1"`;
const mayMount =
  spawnSync("unshare", ["-rm", "sh", "-c", "mount -t tmpfs tmpfs /mnt"]).status === 0;

interface Attempt {
  readonly code: string;
  readonly full: string;
  readonly settled: string;
}

test("on a disk that becomes full midway, all files are as they were or all as they should be", () => {
  const args = ["sh", temporaryFolder(), process.execPath, child];
  const { stdout, stderr } = mayMount
    ? spawnSync("unshare", ["-rm", "sh", "-c", onSmallDisk, ...args], { encoding: "utf8" })
    : spawnSync("sh", ["-c", whereFilesMayNotGrow, ...args], { encoding: "utf8" });
  expect(stderr).toBe("");
  const attempts = JSON.parse(stdout) as readonly Attempt[];
  expect(attempts.filter(({ full, settled }) => full !== "whole" || settled !== "whole")).toEqual(
    [],
  );
  const codes = new Set(attempts.map(({ code }) => code));
  expect(codes).toContain("write_failed");
  if (mayMount) expect(codes).toContain("done");
}, 60_000);
