import { temporaryFolder } from "../temporary-folder.mjs";

/** A folder of its own for the test that asks. */
export function folder(): string {
  const path = temporaryFolder();
  return path;
}
