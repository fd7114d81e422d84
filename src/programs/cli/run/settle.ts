import { deadRuns, forgetRuns, Running, sweepAnnounced } from "../../../additions/running.ts";
import { exists } from "../../../base/disk.ts";
import { isRepriseError } from "../../../base/errors.ts";
import { takeLeaseSync } from "../../../base/lease.ts";
import { limits } from "../../../base/limits.ts";
import type { Home } from "../../../store/home.ts";
import { settleIntentions } from "../../../store/intention.ts";
import { settleLeaving } from "../../../store/remove.ts";
import { sweepTemporaries } from "../../../store/sweep.ts";
import { count } from "../render/count.ts";
import { homeOf } from "../sessions/native.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import type { CommandContext } from "./command.ts";
import { everyAgent } from "./every-agent.ts";

/**
 * What every command does before it changes something: settle what killed ones left, and leave a note of its own. Where
 * nobody was killed this is the listing of one small folder.
 */
export async function beginChange(context: CommandContext): Promise<Running | undefined> {
  const home = homeOf(context);
  // A home that is not there has nothing to settle, and is not made for a command that may yet be refused.
  if (!exists(home.root)) return undefined;
  const runs = deadRuns(home.running);
  if (runs.length > 0) await settleRuns(home, runs, context);
  const running = new Running(home.running);
  try {
    running.begin();
    return running;
  } catch {
    // Who may not write there is told so by the command itself.
    return undefined;
  }
}

/** Every step can be repeated: the notes go last. */
async function settleRuns(
  home: Home,
  runs: readonly string[],
  context: CommandContext,
): Promise<void> {
  const lease = freeLease(home);
  if (lease === undefined) return;
  try {
    const tell = (sentence: string): void => context.out.note(safeLine(sentence));
    const { registerTakingBack } = await import("./taking-back.ts");
    const agents = context.agents.length > 0 ? context.agents : await everyAgent(context.out.note);
    registerTakingBack(agents, context);
    // Temporary files first: a folder is given back only where nothing else is in it.
    const swept = sweepAnnounced(runs) + sweepTemporaries(home);
    const { open } = await settleIntentions(home, tell);
    settleLeaving(home);
    if (swept > 0) tell(`Removed ${count(swept, "temporary file")} that a killed command left.`);
    if (open === 0) forgetRuns(runs);
  } finally {
    lease.release();
  }
}

/** One process settles at a time; others go on with what they were asked for. */
function freeLease(home: Home): { release(): void } | undefined {
  try {
    const place = { folder: home.running, name: "settling" };
    return takeLeaseSync(place, { waitMs: 0, staleMs: limits.leaseWorkStaleMs });
  } catch (error) {
    if (isRepriseError(error)) return undefined;
    throw error;
  }
}
