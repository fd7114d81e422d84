import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryName } from "../../src/base/temporary-name.ts";
import { folderHome, userHome } from "../../src/store/home.ts";
import { sweepTemporaries } from "../../src/store/sweep.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

/** The number of a process that has ended. */
const dead = spawnSync(process.execPath, ["-e", ""]).pid;

/** Temporary files as this process, a dead one and one of another machine would call theirs. */
function putTemporaries(folder: string): { readonly mine: string; readonly elsewhere: string } {
  const mine = basename(temporaryName(join(folder, "s.jsonl")));
  const elsewhere = mine.replace(/\.[0-9a-f]{8}-/, ".00000000-");
  const left = mine.replace(/-\d+-/, `-${dead}-`);
  for (const name of [mine, elsewhere, left, "theirs.tmp", "theirs.1.tmp", "s.jsonl"])
    writeFileSync(join(folder, name), "");
  return { mine, elsewhere };
}

test("temporary files of dead processes are swept, by their names alone, and nothing else", () => {
  const home = userHome({ variables: {}, platform: "linux", home: temporaryFolder(), cwd: "/" });
  const folder = join(home.sessions, "project");
  mkdirSync(folder, { recursive: true });
  const { mine, elsewhere } = putTemporaries(folder);
  const others = ["theirs.tmp", "theirs.1.tmp", "s.jsonl", mine];
  expect(sweepTemporaries(home)).toBe(1);
  expect(readdirSync(folder).toSorted()).toEqual([...others, elsewhere].toSorted());
  const old = new Date(Date.now() - 61 * 60_000);
  for (const name of [mine, elsewhere]) utimesSync(join(folder, name), old, old);
  expect(sweepTemporaries(home)).toBe(1);
  expect(readdirSync(folder).toSorted()).toEqual(others.toSorted());
});

test("in a store that is a folder of its user, folders below it are left alone", () => {
  const folder = temporaryFolder();
  const home = folderHome(folder);
  mkdirSync(join(folder, "deep"));
  putTemporaries(folder);
  putTemporaries(join(folder, "deep"));
  expect(sweepTemporaries(home)).toBe(1);
});
