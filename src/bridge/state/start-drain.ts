import { existsSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { limits } from "../../base/limits.ts";
import { appendText } from "../../base/open-file.ts";
import type { BridgeEvent } from "../../model/bridge-event.ts";
import { readSettings } from "./settings.ts";

/** Its time is when a hook last began a drain. */
const stamp = "drain.at";

/**
 * Starts the work that hooks have no time for, in a process of its own: at a session's start the first capture of its
 * folder, and now and then a drain.
 */
export function startLate(
  event: BridgeEvent,
  given: {
    readonly root: string;
    readonly hookFile: string;
    /** The disk budget had no room for a checkpoint. */
    readonly isFull?: boolean;
  },
): void {
  const { root, hookFile, isFull = false } = given;
  const isDue = drainIsDue(event, root, isFull);
  const base = baseOf(event, root);
  if (isDue || base.length > 0) startDrain({ root, hookFile, isDue, base });
}

/** The words that have the folder of a session captured. */
function baseOf(
  { kind, source, cwd, agent, session }: BridgeEvent,
  root: string,
): readonly string[] {
  if (kind !== "session_start" || source === "compact" || cwd === undefined) return [];
  if (!readSettings(join(root, "settings.json")).checkpoints) return [];
  return ["--base", cwd, "--session", `${agent}:${session}`];
}

/**
 * Whether slow work should be begun after an event: where a session ended, or began after a crash may have happened, or
 * where checkpoints need room.
 */
function drainIsDue({ kind }: BridgeEvent, root: string, isFull: boolean): boolean {
  if (kind !== "session_end" && kind !== "session_start" && !isFull) return false;
  const last = statSync(join(root, stamp), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Math.abs(Date.now() - last) > (isFull ? limits.roomEveryMs : limits.drainEveryMs);
}

/** Starts `reprise drain` on its own; should two be started in one moment, the second ends at once. */
function startDrain(given: {
  readonly root: string;
  readonly hookFile: string;
  readonly isDue: boolean;
  readonly base: readonly string[];
}): void {
  const { root, hookFile, isDue, base } = given;
  const program = join(dirname(hookFile), "reprise.js");
  if (process.env["REPRISE_NO_DRAIN"] !== undefined || !existsSync(program)) return;
  const at = join(root, stamp);
  if (isDue) {
    appendText(at, "");
    utimesSync(at, new Date(), new Date());
  }
  // Loaded only here: most hooks start nothing.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const child = spawn(
    process.execPath,
    [program, "drain", "--background", ...base, ...(isDue ? [] : ["--base-only"])],
    {
      detached: true,
      stdio: "ignore",
      cwd: root,
      env: process.env,
    },
  );
  child.on("error", () => undefined);
  child.unref();
}
