import { existsSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { limits } from "../../base/limits.ts";
import { appendText } from "../../base/open-file.ts";
import type { BridgeEvent } from "../../model/bridge-event.ts";

/** Its time is when a hook last began a drain. */
const stamp = "drain.at";

/** Whether slow work should be begun after an event: where a session ended, or began after a crash may have happened. */
export function drainIsDue({ kind }: BridgeEvent, root: string): boolean {
  if (kind !== "session_end" && kind !== "session_start") return false;
  const last = statSync(join(root, stamp), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Math.abs(Date.now() - last) > limits.drainEveryMs;
}

/** Starts `reprise drain` on its own; should two be started in one moment, the second ends at once. */
export function startDrain(root: string, hookFile: string): void {
  const program = join(dirname(hookFile), "reprise.js");
  if (process.env["REPRISE_NO_DRAIN"] !== undefined || !existsSync(program)) return;
  const at = join(root, stamp);
  appendText(at, "");
  utimesSync(at, new Date(), new Date());
  // Loaded only here: most hooks start nothing.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const child = spawn(process.execPath, [program, "drain", "--background"], {
    detached: true,
    stdio: "ignore",
    cwd: root,
    env: process.env,
  });
  child.on("error", () => undefined);
  child.unref();
}
