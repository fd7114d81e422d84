import { deadRuns, forgetRuns, Running, sweepAnnounced } from "../additions/running.ts";
import { exists } from "../base/disk.ts";
import type { Environment } from "../base/env.ts";
import { isRepriseError } from "../base/errors.ts";
import { takeLeaseSync } from "../base/lease.ts";
import { limits } from "../base/limits.ts";
import { type Home, userHome } from "./home.ts";
import { settleImports } from "./import-group.ts";
import { registerSettling, settleIntentions } from "./intention.ts";
import { settleLeaving } from "./remove.ts";
import { sweepTemporaries } from "./sweep.ts";
import { settleUndo } from "./undo.ts";

/** What settling needs besides the store. */
export interface ChangeOptions {
  readonly env: Environment;
  /** Registers how more than imports and undos is settled; called only where there is something to settle. */
  register(): Promise<void>;
  /** Hears what was settled, a sentence each. */
  tell(sentence: string): void;
}

/**
 * What every change to a store begins with: settle what killed processes left, and leave a note of its own, which `end`
 * takes away. Where nobody was killed this is the listing of one small folder.
 */
export async function beginChange(options: ChangeOptions): Promise<Running | undefined> {
  const home = userHome(options.env);
  // A home that is not there has nothing to settle, and is not made for a change that may yet be refused.
  if (!exists(home.root)) return undefined;
  const runs = deadRuns(home.running);
  if (runs.length > 0) await settleRuns(home, runs, options);
  const running = new Running(home.running);
  try {
    running.begin();
    return running;
  } catch {
    // Who may not write there is reported so by the change itself.
    return undefined;
  }
}

/** Every step can be repeated: the notes go last. */
async function settleRuns(
  home: Home,
  runs: readonly string[],
  { env, register, tell }: ChangeOptions,
): Promise<void> {
  const lease = freeLease(home);
  if (lease === undefined) return;
  try {
    registerSettling("import", settleImports);
    registerSettling("undo", settleUndo);
    await register();
    // Temporary files first: a folder is given back only where nothing else is in it.
    const swept = sweepAnnounced(runs) + sweepTemporaries(home);
    const { open } = await settleIntentions(home, { env, tell });
    settleLeaving(home);
    if (swept > 0) {
      const files = swept === 1 ? "1 temporary file" : `${swept} temporary files`;
      tell(`Removed ${files} that a killed command left.`);
    }
    if (open === 0) forgetRuns(runs);
  } finally {
    lease.release();
  }
}

/** One process settles at a time; others continue what they were asked for. */
function freeLease(home: Home): { release(): void } | undefined {
  try {
    const place = { folder: home.running, name: "settling" };
    return takeLeaseSync(place, { waitMs: 0, staleMs: limits.leaseWorkStaleMs });
  } catch (error) {
    if (isRepriseError(error)) return undefined;
    throw error;
  }
}
