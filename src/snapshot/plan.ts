import { isAmong, readScope, type Scope, type Uncovered } from "./scope.ts";
import type { Snapshot } from "./snapshot.ts";
import type { SnapshotStore } from "./snapshot-store.ts";
import type { TreeEntry } from "./tree.ts";
import { diffTrees, type TreeChange } from "./tree-paths.ts";

/** One path that a restore changes: what is there by the safety checkpoint, and what will be. */
export interface RestoreStep {
  readonly path: string;
  /** Absent where nothing is there. */
  readonly from?: TreeEntry;
  /** Absent where nothing will be. */
  readonly to?: TreeEntry;
}

/** A path that differs and is left alone. */
export interface LeftPath {
  readonly path: string;
  readonly why: string;
}

/** What a restore would do. */
export interface RestorePlan {
  readonly folder: string;
  readonly steps: readonly RestoreStep[];
  readonly left: readonly LeftPath[];
}

/** What a plan is made from: enough to make the same plan again. */
export interface PlanFacts {
  /** The folder as it is, captured `toward` the target. */
  readonly present: Snapshot;
  readonly target: Snapshot;
  /** Paths, or folders with all that is in them; everything where absent. */
  readonly paths?: readonly string[] | undefined;
  /** Only paths that the steps of another plan have. */
  readonly within?: PlanFacts | undefined;
  /** Paths that were left when the plan was carried out: what was not touched is not taken back. */
  readonly except?: readonly string[] | undefined;
}

/**
 * How a folder becomes what it was. A path is deleted or overwritten only where its present bytes are in `present`, and
 * where `target` covers it: what was ignored, skipped or not looked at then is left and named. Of a target that looked at
 * some paths alone, the others are not named.
 */
export function planRestore(store: SnapshotStore, facts: PlanFacts): RestorePlan {
  const { present, target, paths, within } = facts;
  const except = new Set(facts.except);
  const now = readScope(store, present.scope);
  const then = readScope(store, target.scope);
  const inner =
    within === undefined
      ? undefined
      : new Set(planRestore(store, within).steps.map(({ path }) => path));
  const looked = then.facts.only === undefined ? undefined : new Set(then.facts.only);
  const isMeant = (path: string): boolean =>
    (inner?.has(path) ?? true) && (looked?.has(path) ?? true);
  const steps: RestoreStep[] = [];
  const left: LeftPath[] = [];
  const passed: string[] = [];
  for (const change of diffTrees(store, present.tree, target.tree)) {
    // Folders that are needed for what was looked at may be made.
    const isAbove = looked !== undefined && change.from === undefined && isNewFolder(change);
    if (!isMeant(change.path) && !isAbove) {
      if (change.from !== undefined) passed.push(change.path);
      continue;
    }
    const judged = judge(change, now, isAbove ? undefined : then);
    if (judged === "nothing") continue;
    if (judged === undefined) steps.push(change);
    else left.push({ path: change.path, why: judged });
  }
  const asked = paths === undefined ? undefined : new Set(paths);
  const isChosen = (path: string): boolean => asked === undefined || isAmong(path, asked);
  const isWhole = looked === undefined && paths === undefined;
  const chosen = isWhole ? steps : chosenSteps(steps, (path) => isChosen(path) && isMeant(path));
  const kept = foldersAbove([...left.map(({ path }) => path), ...passed]);
  return {
    folder: present.folder,
    steps: chosen.filter((step) => !isBlocked(step, kept) && !except.has(step.path)),
    left: [
      ...left.filter(({ path }) => isChosen(path)),
      ...chosen
        .filter((step) => isBlocked(step, kept))
        .map(({ path }) => ({ path, why: "something in it stays" })),
    ],
  };
}

/** Why a change is left alone; undefined if it may be made. */
function judge(
  change: TreeChange,
  now: Scope,
  then: Scope | undefined,
): string | "nothing" | undefined {
  const { path, from, to } = change;
  const kind = { isFolder: (from ?? to)?.kind === "folder" };
  const unsaved = now.uncovered(path, kind);
  // A folder that is there and ignored is what was wanted.
  if (unsaved === "folder" && to?.kind === "folder") return "nothing";
  if (unsaved !== undefined && !(unsaved === "ignored" && from !== undefined))
    return `it could not be saved first: ${saidOf(unsaved)}`;
  const unknown = then?.uncovered(path, kind);
  if (unknown === undefined || (to !== undefined && unknown === "ignored")) return undefined;
  return `the checkpoint does not cover it: ${saidOf(unknown)}`;
}

function saidOf(reason: Uncovered): string {
  switch (reason) {
    case "too large":
      return "it is too large";
    case "unreadable":
      return "it cannot be read";
    case "special":
      return "it is neither file, folder nor link";
    case "changing":
      return "it changed while it was read";
    case "folder":
      return "it is a folder that is ignored";
    case "ignored":
      return "it was ignored";
    case "not looked at":
      return "it was not looked at";
  }
}

/** The steps for some paths, with the folders they need. */
function chosenSteps(
  steps: readonly RestoreStep[],
  isChosen: (path: string) => boolean,
): readonly RestoreStep[] {
  const made = steps.filter(({ path, to }) => to !== undefined && isChosen(path));
  const needed = foldersAbove(made.map(({ path }) => path));
  return steps.filter(
    (step) => isChosen(step.path) || (isNewFolder(step) && needed.has(step.path)),
  );
}

function isNewFolder({ from, to }: TreeChange): boolean {
  return to?.kind === "folder" && from?.kind !== "folder";
}

/** A folder is not removed or replaced while something in it stays. */
function isBlocked({ path, from, to }: RestoreStep, kept: ReadonlySet<string>): boolean {
  return from?.kind === "folder" && to?.kind !== "folder" && kept.has(path);
}

/** Every folder above some paths. */
function foldersAbove(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths)
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      if (folders.has(path.slice(0, at))) break;
      folders.add(path.slice(0, at));
    }
  return folders;
}
