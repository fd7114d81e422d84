import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { shapes } from "./shapes.mjs";

const run = promisify(execFile);
const children = join(import.meta.dirname, "children");

/** Records of the smaller session; the larger one has four times as many. */
const records = 1_000;

describe("reading costs no more than the bytes there are, whatever leads to what", () => {
  for (const agent of Object.keys(shapes)) {
    test(`sessions of ${agent}`, { timeout: 300_000 }, async () => {
      const args = [join(children, "growth.mjs"), temporaryFolder(), agent, String(records)];
      const { stdout } = await run(process.execPath, args);
      expect(stdout).toBe("");
    });
  }
});
