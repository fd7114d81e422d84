import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { quickStat } from "../../src/base/quick-stat.ts";

const folder = mkdtempSync(join(tmpdir(), "reprise-stat-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("it says of every file what Node says, however often it is asked", () => {
  for (let number = 0; number < 100; number += 1) {
    const file = join(folder, `${number}`);
    writeFileSync(file, "x".repeat(number * 100));
    // Times of every kind: before 1970, without a fraction, with one.
    utimesSync(file, number, (number - 20) * 98_765_432.123);
    const stat = statSync(file);
    const expected = { isFile: true, sizeBytes: stat.size, modifiedMs: stat.mtimeMs };
    expect(quickStat(file)).toEqual(expected);
    expect(quickStat(folder)?.isFile).toBe(false);
    expect(quickStat(join(folder, "missing"))).toBeUndefined();
    expect(quickStat(`${file}\0${number}`)).toBeUndefined();
    expect(quickStat(join(file, "below"))).toBeUndefined();
  }
});
