import type { LeftPath } from "./plan.ts";
import { isAmong, readScope } from "./scope.ts";
import type { Snapshot } from "./snapshot.ts";
import type { SnapshotStore } from "./snapshot-store.ts";
import { uncoveredPaths } from "./uncovered.ts";

/**
 * The topmost paths that came since a snapshot was taken, which covered them, and that today's rules ignore: going back
 * leaves them, for nothing keeps their content.
 */
export function hiddenSince(
  store: SnapshotStore,
  { present, target, paths }: HiddenFacts,
): readonly LeftPath[] {
  if (present.scope === target.scope) return [];
  const then = readScope(store, target.scope);
  const asked = paths === undefined ? undefined : new Set(paths);
  return uncoveredPaths(store, present)
    .paths.filter(({ path, isFolder, why }) => {
      const isMeant = asked === undefined || isAmong(path, asked);
      return isMeant && why === "ignored" && then.uncovered(path, { isFolder }) === undefined;
    })
    .map(({ path }) => ({ path, why: "it could not be saved first: it is ignored now" }));
}

interface HiddenFacts {
  /** The folder as it is. */
  readonly present: Snapshot;
  readonly target: Snapshot;
  /** Paths, or folders with all that is in them; everything if absent. */
  readonly paths?: readonly string[] | undefined;
}
