import { readScope, type Scope, type Uncovered } from "./scope.ts";
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

/**
 * How a folder becomes what it was. A path is deleted or overwritten only where its present bytes are in `present`, and
 * where `target` covers it: what was ignored, skipped or not looked at then is left and named.
 */
export function planRestore(
  store: SnapshotStore,
  options: {
    /** The folder as it is, captured `toward` the target. */
    readonly present: Snapshot;
    readonly target: Snapshot;
    /** Paths, or folders with all that is in them; everything where absent. */
    readonly paths?: readonly string[] | undefined;
  },
): RestorePlan {
  const { present, target, paths } = options;
  const now = readScope(store, present.scope);
  const then = readScope(store, target.scope);
  const steps: RestoreStep[] = [];
  const left: LeftPath[] = [];
  for (const change of diffTrees(store, present.tree, target.tree)) {
    const judged = judge(change, now, then);
    if (judged === "nothing") continue;
    if (judged === undefined) steps.push(change);
    else left.push({ path: change.path, why: judged });
  }
  const chosen = paths === undefined ? steps : chosenSteps(steps, paths);
  const isChosen = (path: string): boolean => paths === undefined || isAmong(path, paths);
  return {
    folder: present.folder,
    steps: withoutBlocked(chosen, left),
    left: left.filter(({ path }) => isChosen(path)),
  };
}

/** Why a change is left alone; undefined where it may be made. */
function judge(change: TreeChange, now: Scope, then: Scope): string | "nothing" | undefined {
  const { path, from, to } = change;
  const kind = { isFolder: (from ?? to)?.kind === "folder" };
  const unsaved = now.uncovered(path, kind);
  // A folder that is there and ignored is what was wanted.
  if (unsaved === "folder" && to?.kind === "folder") return "nothing";
  if (unsaved !== undefined && !(unsaved === "ignored" && from !== undefined))
    return `it could not be saved first: ${saidOf(unsaved)}`;
  const unknown = then.uncovered(path, kind);
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
  paths: readonly string[],
): readonly RestoreStep[] {
  const chosen = steps.filter(({ path }) => isAmong(path, paths));
  const made = new Set(chosen.filter(({ to }) => to !== undefined).map(({ path }) => path));
  return steps.filter(({ path, from, to }) => {
    if (isAmong(path, paths)) return true;
    const isNewFolder = to?.kind === "folder" && from?.kind !== "folder";
    return isNewFolder && [...made].some((inner) => inner.startsWith(`${path}/`));
  });
}

/** Whether a path is one of some, or lies below one; "" is the folder itself. */
export function isAmong(path: string, paths: readonly string[]): boolean {
  return paths.some((chosen) => chosen === "" || path === chosen || path.startsWith(`${chosen}/`));
}

/** A folder is not removed or replaced while something in it is left. */
function withoutBlocked(
  steps: readonly RestoreStep[],
  left: readonly LeftPath[],
): readonly RestoreStep[] {
  if (left.length === 0) return steps;
  const kept = new Set<string>();
  for (const { path } of left)
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
      kept.add(path.slice(0, at));
  return steps.filter(
    ({ path, from, to }) => !(from?.kind === "folder" && to?.kind !== "folder" && kept.has(path)),
  );
}
