import { isRepriseError } from "../../base/errors.ts";
import { type Checkpoint, recordCheckpoint } from "../../snapshot/checkpoint.ts";
import { newestCheckpoints } from "../../snapshot/newest-checkpoint.ts";
import { isIncomplete } from "../../snapshot/snapshot.ts";
import { WorkingTree } from "../../snapshot/working-tree.ts";
import type { Home } from "../../store/home.ts";

/**
 * Captures all of a folder, however long that takes, so that later checkpoints cost what changed. A checkpoint is
 * recorded unless the newest whole one has the same files; undefined where there is none to take.
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
  try {
    return tree.hold(() => {
      const snapshot = tree.capture();
      for (const known of newestCheckpoints(home)) {
        if (known.folder !== tree.folder || isIncomplete(known)) continue;
        if (known.tree === snapshot.tree) return undefined;
        break;
      }
      return recordCheckpoint(home, snapshot, { reason: "base", agent, session });
    });
  } finally {
    tree.close();
  }
}
