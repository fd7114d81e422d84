import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../temporary-folder.mjs";
import { writeShape } from "./shapes.mjs";

const child = join(import.meta.dirname, "children", "read-cost.mjs");

/** Shapes of about ten megabytes, or of very many lines. */
const large = {
  "one deeply nested line": 100_000,
  "one line of many keys": 200_000,
  "one line that never closes": 100_000,
  "empty objects": 100_000,
  "broken lines": 50_000,
};

describe("memory stays under 200 MB, whatever a session holds (P5)", () => {
  for (const agent of ["claude-code", "codex", "gemini-cli", "pi", "reprise"]) {
    test(`sessions of ${agent}`, { timeout: 240_000 }, () => {
      for (const [shape, n] of Object.entries(large)) {
        const home = temporaryFolder();
        writeShape(home, { agent, shape, n });
        const told = execFileSync(process.execPath, [child, home, agent, "live,all,last"]);
        const { peakMb } = JSON.parse(told.toString()) as { readonly peakMb: number };
        expect({ shape, peakMb, isFlat: peakMb < 200 }).toEqual({ shape, peakMb, isFlat: true });
      }
    });
  }
});
