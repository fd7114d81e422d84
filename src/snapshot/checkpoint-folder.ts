import type { Home } from "../store/home.ts";
import { type Checkpoint, type CheckpointAbout, recordCheckpoint } from "./checkpoint.ts";
import { withRoom } from "./keeping/budget-full.ts";
import { newestCheckpoints } from "./newest-checkpoint.ts";
import { isIncomplete, type Snapshot } from "./snapshot.ts";
import type { SnapshotStore } from "./snapshot-store.ts";
import { diffTrees } from "./tree-paths.ts";
import { WorkingTree, type WorkingTreeOptions } from "./working-tree.ts";

/** How a checkpoint of a whole folder is taken. */
export interface CheckpointFolderOptions extends WorkingTreeOptions {
  readonly about: CheckpointAbout;
  /** Hears of files as they are looked at. */
  readonly onFiles?: ((count: number) => void) | undefined;
}

/** Captures everything in a folder and records it as a checkpoint; makes room in the budget where it is used up. */
export function checkpointFolder(folder: string, options: CheckpointFolderOptions): Checkpoint {
  const { home, about, onFiles } = options;
  return withRoom(home, () => {
    const tree = WorkingTree.open(folder, options);
    try {
      return tree.hold(() => {
        const snapshot = tree.capture({ onFiles });
        const whole = newestWhole(home, tree.folder);
        const modified = whole && changedPaths(tree.store, whole, snapshot).length;
        return recordCheckpoint(
          home,
          snapshot,
          { ...about, ...(modified !== undefined && { modified }) },
          { sync: options.sync },
        );
      });
    } finally {
      tree.close();
    }
  });
}

/** The newest checkpoint of a folder that has all of it, as far as the end of the journal says. */
export function newestWhole(home: Home, folder: string): Checkpoint | undefined {
  for (const one of newestCheckpoints(home))
    if (one.folder === folder && !isIncomplete(one)) return one;
  return undefined;
}

/** The files and links that two snapshots have differently. */
export function changedPaths(
  store: SnapshotStore,
  from: Snapshot,
  to: Snapshot,
): readonly string[] {
  return [...diffTrees(store, from.tree, to.tree)]
    .filter((change) => [change.from, change.to].some((one) => one && one.kind !== "folder"))
    .map(({ path }) => path);
}
