import { dirname } from "node:path";
import { fileStat, smallFile } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import type { Contribution, InjectionContext } from "../inject/injection.ts";
import { logError } from "../state/error-log.ts";
import { contributeNow } from "./contribute-now.ts";
import { markIn, pageMark } from "./page-mark.ts";
import { type LedgerPlaces, ledgerPlaces, type ProjectPlaces, projectPlaces } from "./places.ts";

/**
 * What the ledger has to say at an event, the most important first. Into a context that lost its past goes the
 * session's own ledger and hand-off; into a new session that of the one before it; later on only what came from
 * outside: what the session itself did, its model knows. Most events are told by a few looks to have nothing.
 */
export function contributeLedger(context: InjectionContext): readonly Contribution[] {
  try {
    return offered(context);
  } catch (error) {
    // Without its ledger an event is still counted.
    logError(context.places.root, context.event.agent, error);
    return [];
  }
}

function offered(context: InjectionContext): readonly Contribution[] {
  const { event, state, policy, places } = context;
  const cwd = event.cwd ?? state.cwd;
  // Where only a word is given nothing is looked up, but a compaction that nobody announced is written down.
  const isSilent = policy.gives === "nudge" && event.compaction === undefined;
  if (cwd === undefined || isSilent) return [];
  const project = projectPlaces(dirname(places.root), cwd);
  const own = ledgerPlaces(project, event);
  const isOpening = opens(context);
  const sinceMs = givenAt(context, ["ledger", "handoff", "changes"]) ?? Date.parse(state.startedAt);
  const isDue =
    isOpening ||
    (policy.gives === "pinned"
      ? isSavedSince(own.ledger, givenAt(context, ["pinned"]) ?? 0)
      : isChangedSince(own, sinceMs) || isTeamNew(project, context));
  return isDue ? contributeNow(context, { project, own, isOpening, sinceMs }) : [];
}

/** Whether this context was given nothing of a ledger yet, and begins now. */
function opens(context: InjectionContext): boolean {
  const { event, state } = context;
  if (givenAt(context, ["ledger", "handoff"]) !== undefined) return false;
  if (state.compactions > 0) return true;
  if (event.kind === "session_start") return event.source !== "resume";
  return event.kind === "prompt" && state.promptCount <= 1;
}

/** When this context was last given one of these; undefined where it never was. */
function givenAt({ state }: InjectionContext, kinds: readonly string[]): number | undefined {
  const at = state.injected.findLast(({ kind }) => kinds.includes(kind))?.at;
  return at === undefined ? undefined : Date.parse(at) || 0;
}

/** Whether something came from outside: we touch a file when we see it, a person saves the page after us. */
function isChangedSince(own: LedgerPlaces, sinceMs: number): boolean {
  if (isSavedSince(own.outside, sinceMs)) return true;
  const mark = pageMark(own.ledger);
  return mark !== "" && mark !== markIn(smallFile(own.kept, 4 * limits.ledgerBytes) ?? "");
}

function isTeamNew(project: ProjectPlaces, context: InjectionContext): boolean {
  return isSavedSince(project.team, givenAt(context, ["team"]) ?? 0);
}

function isSavedSince(path: string, sinceMs: number): boolean {
  return (fileStat(path)?.modifiedMs ?? 0) > sinceMs;
}
