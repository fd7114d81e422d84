import { renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { isoNow } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import { makeFolder } from "../../base/make-folder.ts";
import { appendText } from "../../base/open-file.ts";

/** Leaves one line about a failure where `reprise hooks status` finds it; never fails itself. */
export function logError(root: string, agent: string, error: unknown): void {
  const path = join(root, "errors.log");
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined) makeFolder(root);
    else if (size > limits.bridgeErrorsBytes) renameSync(path, `${path}.1`);
    const said = error instanceof Error ? error.message : String(error);
    const says = said.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ").slice(0, 500);
    appendText(path, `${isoNow()} ${agent} ${says}\n`);
  } catch {
    // A full or read-only disk: the agent must not notice.
  }
}
