import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made = new Set();
process.once("exit", removeTemporaryFolders);

/** Makes an empty folder under its real path; it is gone after the test file, in a program when that ends. */
export function temporaryFolder() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "reprise-test-")));
  made.add(folder);
  return folder;
}

/** Lets a folder stay, and returns it. */
export function kept(folder) {
  made.delete(folder);
  return folder;
}

/** Removes every folder that was made. */
export function removeTemporaryFolders() {
  for (const folder of made) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  made.clear();
}
