import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder of its own for the test that asks. */
export function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "reprise-bridge-")));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
