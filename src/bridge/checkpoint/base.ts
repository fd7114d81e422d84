import { isRepriseError } from "../../base/errors.ts";
import { type Checkpoint, recordCheckpoint } from "../../snapshot/checkpoint.ts";
import { newestWhole } from "../../snapshot/checkpoint-folder.ts";
import { withRoom } from "../../snapshot/keeping/budget-full.ts";
import { recordMissed, whyMissed } from "../../snapshot/missed-checkpoint.ts";
import { WorkingTree } from "../../snapshot/working-tree.ts";
import type { Home } from "../../store/home.ts";

/**
 * Captures all of a folder, however long that takes, so that later checkpoints cost what changed. A checkpoint is
 * recorded unless the newest whole one has the same files; undefined if there is none to take.
 */
export function captureBase(
  folder: string,
  options: {
    readonly home: Home;
    readonly userHome: string;
    readonly agent?: string | undefined;
    readonly session?: string | undefined;
  },
): Checkpoint | undefined {
  const { home, userHome, agent, session } = options;
  let tree: WorkingTree;
  try {
    tree = WorkingTree.open(folder, { home, userHome });
  } catch (error) {
    if (isRepriseError(error)) return undefined;
    throw error;
  }
  const about = { reason: "base", agent, session } as const;
  try {
    return withRoom(home, () =>
      tree.hold(() => {
        const snapshot = tree.capture();
        if (newestWhole(home, tree.folder)?.tree === snapshot.tree) return undefined;
        return recordCheckpoint(home, snapshot, about);
      }),
    );
  } catch (error) {
    if (!isRepriseError(error)) throw error;
    recordMissed(home, { ...about, folder: tree.folder, why: whyMissed(error) });
    return undefined;
  } finally {
    tree.close();
  }
}
