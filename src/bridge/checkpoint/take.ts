import { isAbsolute, relative, resolve, sep } from "node:path";
import { isRepriseError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { isWithin } from "../../base/within.ts";
import type { BridgeEvent } from "../../model/bridge-event.ts";
import {
  type Checkpoint,
  type CheckpointAbout,
  recordCheckpoint,
} from "../../snapshot/checkpoint.ts";
import { changedPaths } from "../../snapshot/checkpoint-folder.ts";
import { recordMissed, whyMissed } from "../../snapshot/missed-checkpoint.ts";
import { newestCheckpoints } from "../../snapshot/newest-checkpoint.ts";
import { isIncomplete, type Snapshot } from "../../snapshot/snapshot.ts";
import { sameEntry } from "../../snapshot/tree.ts";
import { entryAt } from "../../snapshot/tree-paths.ts";
import { WorkingTree } from "../../snapshot/working-tree.ts";
import type { Home } from "../../store/home.ts";
import { realPathOf } from "../../store/project.ts";
import type { WantedCheckpoint } from "./wanted.ts";

/** Where a checkpoint is taken, and until when. */
export interface TakeOptions {
  readonly home: Home;
  readonly userHome: string;
  /** By the clock; what is not captured by then is missed, and the checkpoint says so. */
  readonly deadlineMs: number;
  /** How full the context is. */
  readonly tokens?: number;
  /** Hears where the disk budget has no room: then older checkpoints should go. */
  onFull?(): void;
}

/**
 * Takes the checkpoint an event asks for, before the agent goes on. What another process holds up is not waited for
 * beyond the deadline: then the journal says that there is none.
 */
export function takeCheckpoint(
  event: BridgeEvent,
  wanted: WantedCheckpoint,
  options: TakeOptions,
): Checkpoint | undefined {
  const { home, userHome, deadlineMs } = options;
  const newest = [...newestOf(home)];
  const folder = folderOf(event, newest);
  const about: CheckpointAbout = {
    reason: wanted.reason,
    agent: event.agent,
    session: event.session,
    ...(event.call !== undefined && { call: event.call }),
    ...(options.tokens !== undefined && { tokens: options.tokens }),
  };
  const waitMs = Math.max(1, Math.min(limits.checkpointWaitMs, deadlineMs - Date.now()));
  const tree = openTree(folder, { home, userHome, waitMs });
  if (tree === undefined) return undefined;
  try {
    const whole = newest.find((one) => one.folder === tree.folder && !isIncomplete(one));
    return tree.hold(() => {
      const names = wanted.files && inFolder(wanted.files, event, tree.folder);
      if (names?.length === 0) return undefined;
      const snapshot =
        names === undefined ? tree.capture({ deadlineMs }) : tree.captureOnly(names, undefined);
      if (wanted.reason === "tool" && isKnown(snapshot, { tree, whole, names })) return undefined;
      const modified = names ?? (whole && changedPaths(tree.store, whole, snapshot));
      return recordCheckpoint(
        home,
        snapshot,
        {
          ...about,
          ...(modified !== undefined && { modified: modified.length }),
        },
        { waitMs, sync: false },
      );
    });
  } catch (error) {
    if (!isRepriseError(error)) throw error;
    if (error.code === "budget_full") options.onFull?.();
    recordMissed(home, { ...about, folder, why: whyMissed(error) }, { waitMs });
    return undefined;
  } finally {
    tree.close();
  }
}

/** Few are needed: the session's last one, and the last whole one of the folder. */
function* newestOf(home: Home): Generator<Checkpoint> {
  let left = limits.lookedAtCheckpoints;
  for (const checkpoint of newestCheckpoints(home)) {
    yield checkpoint;
    left -= 1;
    if (left === 0) return;
  }
}

/** The folder the session's checkpoints are of: commands change where an agent is, not what it works on. */
function folderOf(
  { agent, session, cwd = "" }: BridgeEvent,
  newest: readonly Checkpoint[],
): string {
  const here = realPathOf(cwd);
  const own = newest.find((one) => one.agent === agent && one.session === session)?.folder;
  return own !== undefined && isWithin(here, own) ? own : here;
}

/** The user's own folder, `/` and what is gone have no checkpoints. */
function openTree(
  folder: string,
  options: { readonly home: Home; readonly userHome: string; readonly waitMs: number },
): WorkingTree | undefined {
  try {
    // A kill costs nothing; to wait for the disk at every prompt would.
    return WorkingTree.open(folder, { ...options, sync: false });
  } catch (error) {
    if (isRepriseError(error)) return undefined;
    throw error;
  }
}

/** The files that lie in the folder, as a snapshot names them. */
function inFolder(
  files: readonly string[],
  { cwd = "" }: BridgeEvent,
  folder: string,
): readonly string[] {
  return files.flatMap((file) => {
    const name = relative(folder, resolve(realPathOf(cwd), file));
    const isInside = name !== "" && !name.startsWith("..") && !isAbsolute(name);
    return isInside ? [name.split(sep).join("/")] : [];
  });
}

/** Whether a checkpoint has all of it already. */
function isKnown(
  snapshot: Snapshot,
  at: {
    readonly tree: WorkingTree;
    readonly whole: Checkpoint | undefined;
    readonly names: readonly string[] | undefined;
  },
): boolean {
  const { tree, whole, names } = at;
  if (whole === undefined || snapshot.missed > 0 || snapshot.skipped > whole.skipped) return false;
  if (names === undefined) return snapshot.tree === whole.tree;
  return names.every((name) =>
    sameEntry(entryAt(tree.store, snapshot.tree, name), entryAt(tree.store, whole.tree, name)),
  );
}
