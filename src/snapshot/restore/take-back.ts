import { Running } from "../../additions/running.ts";
import type { Environment } from "../../base/env.ts";
import { isRepriseError, RepriseError } from "../../base/errors.ts";
import { failpoint } from "../../base/failpoint.ts";
import { asNumber, isObject, type JsonObject } from "../../base/json.ts";
import { record } from "../../log/journal.ts";
import { journalEntries } from "../../log/read-journal.ts";
import type { EventId } from "../../model/event.ts";
import type { Home } from "../../store/home.ts";
import { concludeIntention, type Intention, registerSettling } from "../../store/intention.ts";
import { type Alongside, registerRedo, type UndoneDeed } from "../../store/redo.ts";
import { companionsOf, registerUndo, type Undone } from "../../store/undo.ts";
import { recordCheckpoint } from "../checkpoint.ts";
import { type LeftPath, type PlanFacts, planRestore } from "../plan.ts";
import { type Snapshot, snapshotIn } from "../snapshot.ts";
import { WorkingTree } from "../working-tree.ts";
import { reversed } from "./apply.ts";
import { PresentCheck } from "./present-check.ts";
import {
  apply,
  applyOrTakeBack,
  type Preview,
  previewRestore,
  type RestoreRequest,
  restoreFiles,
} from "./restore.ts";
import { factsIn, restoreKind } from "./restore-entry.ts";

/** What an undo of a restore began with, so that `redo` comes back to it. */
const beforeUndoKind = "restore-undoing";

/** Lets `undo` and `redo` move files, and later commands finish or take back what a killed one left. */
export function registerRestores(): void {
  registerUndo(restoreKind, undoRestore);
  registerSettling(restoreKind, settleRestore);
  registerRedo(restoreKind, redoRestore);
}

/** What undoing a restore would do now. */
export function previewUndo(home: Home, data: JsonObject, env: Environment): Preview {
  const facts = soundFacts(data);
  return withTree(facts, { home, env }, (tree) => previewRestore(tree, wayBack(facts)));
}

/** What doing an undone restore again would do now. */
export function previewRedo(home: Home, undone: UndoneDeed, env: Environment): Preview {
  const facts = soundFacts(undone.data);
  return withTree(facts, { home, env }, (tree) =>
    previewRestore(tree, wayForward(home, undone, facts)),
  );
}

/** To what was there before the undo. */
function wayForward(home: Home, { intention }: UndoneDeed, facts: PlanFacts): RestoreRequest {
  return { target: beforeUndo(home, intention) ?? facts.target, within: within(facts) };
}

/** To what was there before, and no other path than the restore had. */
function wayBack(facts: PlanFacts): RestoreRequest {
  return { target: facts.present, within: within(facts) };
}

function within(facts: PlanFacts): PlanFacts {
  const { within: inner, except = [] } = facts;
  return inner === undefined ? facts : { ...inner, except: [...(inner.except ?? []), ...except] };
}

async function undoRestore(
  home: Home,
  data: JsonObject,
  env: Environment,
  { intention }: { readonly intention: EventId },
): Promise<Undone> {
  const facts = soundFacts(data);
  return withTree(facts, { home, env }, (tree) =>
    tree.hold(() => {
      const { present, plan } = previewRestore(tree, wayBack(facts));
      // Of an undo that was killed, the first look counts.
      if (beforeUndo(home, intention) === undefined)
        record(home.journal, beforeUndoKind, { undo: intention, present });
      if (plan.steps.length === 0) return saidOf({ done: 0, left: plan.left, when: "before" });
      const running = new Running(home.running);
      running.beginDurably();
      recordCheckpoint(home, present, { reason: "safety" });
      failpoint("restore.saved");
      const { done, left } = applyOrTakeBack(plan.steps, { tree, running });
      failpoint("restore.applied");
      running.end();
      return saidOf({ done, left: [...plan.left, ...left], when: "before" });
    }),
  );
}

/** Does a restore again that was undone: back to what was there before the undo. */
async function redoRestore(
  home: Home,
  undone: UndoneDeed,
  env: Environment,
  alongside: Alongside | undefined,
): Promise<string> {
  const facts = soundFacts(undone.data);
  const tree = WorkingTree.open(facts.present.folder, { home, userHome: env.home });
  try {
    const { done, left } = await restoreFiles(tree, wayForward(home, undone, facts), {
      redoes: undone.entry,
      alongside,
      env,
    });
    return saidOf({ done, left, when: "after it" });
  } finally {
    tree.close();
  }
}

/**
 * Settles a restore that a dead process began. What went along with it is reported by the journal: where that was done, the
 * files follow, else they are taken back. A path that somebody changed since is left and named.
 */
async function settleRestore(
  home: Home,
  { id, data }: Intention,
  env: Environment,
): Promise<string> {
  const facts = soundFacts(data);
  const steps = (tree: WorkingTree) => planRestore(tree.store, facts).steps;
  const isForward = companionsOf(home, id).length > 0;
  const running = new Running(home.running);
  return settling({ home, id }, () =>
    withTree(facts, { home, env }, (tree) =>
      tree.hold(() => {
        running.begin();
        const wanted = isForward ? steps(tree) : reversed(steps(tree));
        const { left } = apply(wanted, { tree, running, check: new PresentCheck() });
        running.end();
        failpoint("settle.taken-back");
        const rest = left.length === 0 ? "" : ` ${leftSentence(left)}`;
        if (isForward) {
          record(home.journal, restoreKind, { ...restoreData(data), intention: id });
          return `A rewind was killed before it was done; it was finished.${rest}`;
        }
        concludeIntention(home, id, `taken back${rest}`);
        return `A rewind was killed before it was done; the files are as they were.${rest}`;
      }),
    ),
  );
}

/** What can never be settled is over: the folder is gone, or the content. */
function settling(
  { home, id }: { readonly home: Home; readonly id: EventId },
  settle: () => string,
): string {
  try {
    return settle();
  } catch (error) {
    const isOver = (["not_found", "blob_missing", "damaged"] as const).some((code) =>
      isRepriseError(error, code),
    );
    if (!isOver) throw error;
    const { message } = error as RepriseError;
    concludeIntention(home, id, message);
    return `A rewind was killed and can neither be finished nor taken back: ${message}`;
  }
}

function restoreData({ does: _does, holder: _holder, ...data }: JsonObject): JsonObject {
  return data;
}

/** What a folder was before an undo; undefined if that undo never came so far. */
function beforeUndo(home: Home, undo: EventId): Snapshot | undefined {
  for (const { kind, data } of journalEntries(home.journal))
    if (kind === beforeUndoKind && asNumber(data["undo"]) === undo && isObject(data["present"]))
      return snapshotIn(data["present"]);
  return undefined;
}

function soundFacts(data: JsonObject): PlanFacts {
  const facts = factsIn(data);
  if (facts !== undefined) return facts;
  throw new RepriseError("damaged", "The entry does not say which files it is about.");
}

function withTree<T>(
  { present }: PlanFacts,
  { home, env }: { readonly home: Home; readonly env: Environment },
  work: (tree: WorkingTree) => T,
): T {
  const tree = WorkingTree.open(present.folder, { home, userHome: env.home });
  try {
    return work(tree);
  } finally {
    tree.close();
  }
}

/** Stands behind what was undone, which says how many paths that was about: said again only if it is not all of them. */
function saidOf({
  done,
  left,
  when,
}: {
  readonly done: number;
  readonly left: readonly LeftPath[];
  readonly when: "before" | "after it";
}): string {
  if (left.length === 0)
    return done === 0 ? "nothing had to change" : `what it changed is as it was ${when}`;
  const moved = done === 1 ? "1 path is as it was" : `${done} paths are as they were`;
  return `${moved} ${when}; ${leftSentence(left)}`;
}

const namedPaths = 5;

function leftSentence(left: readonly LeftPath[]): string {
  const named = left.slice(0, namedPaths).map(({ path, why }) => `${path} (${why})`);
  const more = left.length - named.length;
  return `left: ${[...named, ...(more > 0 ? [`${more} more`] : [])].join(", ")}`;
}
