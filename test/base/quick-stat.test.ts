import {
  closeSync,
  mkdirSync,
  openSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { quickIdentity, quickOpenStat, quickStat } from "../../src/base/quick-stat.ts";
import { temporaryFolder } from "../temporary-folder.mjs";

test("the quick stat says what Node's says, however often it is asked", () => {
  const folder = temporaryFolder();
  const paths = Array.from({ length: 60 }, (_, index) => {
    const path = join(folder, `file ${index} é日`);
    writeFileSync(path, "x".repeat(index * 1000));
    // Times with parts of a millisecond, also before the epoch.
    utimesSync(path, index, index % 3 === 0 ? -1.5 : 1_700_000_000.123_456 + index);
    return path;
  });
  mkdirSync(join(folder, "sub"));
  symlinkSync(paths[3]!, join(folder, "link"));
  symlinkSync(join(folder, "nowhere"), join(folder, "dangling"));
  for (const path of [...paths, join(folder, "link"), join(folder, "sub"), folder]) {
    const stat = statSync(path);
    const told = { isFile: stat.isFile(), sizeBytes: stat.size, modifiedMs: stat.mtimeMs };
    expect(quickStat(path)).toEqual(told);
    const { birthtimeMs: bornMs, ino: inode } = stat;
    expect(quickIdentity(path)).toEqual({ ...told, bornMs, inode });
    const fd = openSync(path, "r");
    expect(quickOpenStat(fd)).toEqual(told);
    closeSync(fd);
  }
  expect(() => quickOpenStat(99_999)).toThrow();
  for (const path of ["nothing", "dangling", join("link", "below"), "a\0b", ""])
    expect(quickStat(path === "" ? "" : join(folder, path))).toBeUndefined();
});
