import {
  type FoundSession,
  findSessions,
  type SessionFilter,
} from "../../../agents/find-sessions.ts";
import { updatedMs } from "../../../agents/newest-sessions.ts";
import { referenceTo } from "../../../agents/reference.ts";
import { isRepriseError, RepriseError } from "../../../base/errors.ts";
import { fileStat } from "../../../base/folders.ts";
import { storeHolder } from "../../../base/store-leases.ts";
import {
  type DeletionPlan,
  planDeletion,
  refuseWhileWritten,
} from "../../../vault/delete-session.ts";
import { count } from "../render/count.ts";
import type { CommandContext } from "../run/command.ts";
import { progress } from "../terminal/progress.ts";
import { homeOf, isNative } from "./native.ts";

/** A session and what would go with it; without a plan it is one of our own. */
interface Planned {
  readonly session: FoundSession;
  readonly plan?: DeletionPlan;
}

/** A session that can be deleted. */
export interface Deletable extends Planned {
  /** When its file had changed last before it was planned. */
  readonly seenMs: number | undefined;
}

/** Which sessions are to go. */
export interface Wanted {
  readonly filter: SessionFilter;
  /** Only what nobody changed after this. */
  readonly untilMs: number | undefined;
  /** Pinned ones too. */
  readonly pinned: boolean;
}

/** What becomes of the sessions that were asked for. */
export interface Chosen {
  readonly deletable: readonly Deletable[];
  /** Those that stay because they are pinned. */
  readonly pinned: readonly FoundSession[];
  /** Those that cannot go, each with the reason. */
  readonly left: readonly string[];
}

/** The sessions that are wanted, and what can be deleted of them now. */
export async function chooseDeletable(wanted: Wanted, context: CommandContext): Promise<Chosen> {
  const { filter, untilMs = Number.POSITIVE_INFINITY } = wanted;
  const found = findSessions(context, filter)
    .filter((session) => updatedMs(session) <= untilMs)
    .map((session) => ({ session, seenMs: changedMs(session) }));
  const stays = ({ head }: FoundSession): boolean => head.pinned === true && !wanted.pinned;
  const left: string[] = [];
  const deletable: Deletable[] = [];
  const amount = (done: number): string => `${done} of ${count(found.length, "session")}`;
  const told = progress(context, { verb: "Looking at", toFile: true, amount });
  for (const { session, seenMs } of found) {
    told.add(1);
    if (stays(session)) continue;
    const why = await reasonToLeave(async () => {
      const planned = await planFor(session, context);
      if (!wentOnAfter(untilMs, planned)) deletable.push({ ...planned, seenMs });
    });
    if (why !== undefined) left.push(leftText(session, why));
  }
  told.end();
  return { deletable, pinned: found.map(({ session }) => session).filter(stays), left };
}

/** Why something could not be done with a session; other errors than ours are thrown. */
export async function reasonToLeave(act: () => Promise<void>): Promise<string | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (!isRepriseError(error)) throw error;
    return error.message;
  }
}

/** A session that stays, and why. */
export function leftText(session: FoundSession, why: string): string {
  return `${referenceTo(session)}: ${why}`;
}

/** Refuses a session whose file changed after it was chosen. */
export function refuseChanged({ session, plan, seenMs }: Deletable): void {
  // A database changes with every other session in it; whether its agent has it open is asked elsewhere.
  const isWhole = plan === undefined || plan.files.includes(session.ref.path);
  if (!isWhole || changedMs(session) === seenMs) return;
  throw new RepriseError("conflict", "It changed since the plan was made.");
}

function changedMs({ ref }: FoundSession): number | undefined {
  return fileStat(ref.path)?.modifiedMs;
}

/** Whether a session's other files, such as a subagent's, show that it went on after a time. */
function wentOnAfter(untilMs: number, { session, plan }: Planned): boolean {
  if (plan === undefined) return false;
  const changes = plan.files.map((path) => fileStat(path)?.modifiedMs ?? 0);
  // Where a home was copied, all files have new times: only how much later one is than the session's own says something.
  const laterMs = Math.max(0, ...changes) - (changedMs(session) ?? Number.POSITIVE_INFINITY);
  return updatedMs(session) + Math.max(0, laterMs) > untilMs;
}

async function planFor(session: FoundSession, context: CommandContext): Promise<Planned> {
  if (isNative(session)) {
    if (storeHolder(homeOf(context).leases, session.head.session) !== undefined)
      throw new RepriseError("session_busy", "A process is writing this session.");
    return { session };
  }
  const plan = await planDeletion(session, context.env);
  refuseWhileWritten(plan, context);
  return { session, plan };
}
