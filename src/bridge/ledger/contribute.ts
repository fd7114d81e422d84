import { dirname } from "node:path";
import { fileStat, smallFile } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import type { InjectionContext } from "../inject/injection.ts";
import { logError } from "../state/error-log.ts";
import { markIn, pageMark } from "./page-mark.ts";
import { type LedgerPlaces, ledgerPlaces, type ProjectPlaces, projectPlaces } from "./places.ts";

/** Where to look, and whether this context begins. */
export interface Occasion {
  readonly project: ProjectPlaces;
  readonly own: LedgerPlaces;
  readonly isOpening: boolean;
  readonly sinceMs: number;
}

/** Whether the ledger may have something to say at an event; a few looks show that it has nothing at most of them. */
export function occasionOf(context: InjectionContext): Occasion | undefined {
  try {
    return dueOccasion(context);
  } catch (error) {
    // Without its ledger an event is still counted.
    logError(context.places.root, context.event.agent, error);
    return undefined;
  }
}

function dueOccasion(context: InjectionContext): Occasion | undefined {
  const { event, state, policy, places } = context;
  const cwd = event.cwd ?? state.cwd;
  // Where only a word is given nothing is looked up, but a compaction that nobody announced is written down.
  const isSilent = policy.gives === "nudge" && event.compaction === undefined;
  if (cwd === undefined || isSilent) return undefined;
  const project = projectPlaces(dirname(places.root), cwd);
  const own = ledgerPlaces(project, event);
  const isOpening = opens(context);
  const sinceMs = givenAt(context, ["ledger", "handoff", "changes"]) ?? Date.parse(state.startedAt);
  const isDue =
    isOpening ||
    (policy.gives === "pinned"
      ? isSavedSince(own.ledger, givenAt(context, ["pinned"]) ?? 0)
      : isChangedSince(own, sinceMs) || isTeamNew(project, context));
  return isDue ? { project, own, isOpening, sinceMs } : undefined;
}

/** Whether this context was given nothing of a ledger yet, and begins now. */
function opens(context: InjectionContext): boolean {
  const { event, state } = context;
  if (givenAt(context, ["ledger", "handoff"]) !== undefined) return false;
  if (state.compactions > 0) return true;
  if (event.kind === "session_start") return event.source !== "resume";
  return event.kind === "prompt" && state.promptCount <= 1;
}

/** When this context was last given one of these; undefined if it never was. */
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
