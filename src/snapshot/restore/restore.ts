import { Running } from "../../additions/running.ts";
import { type Environment, processEnvironment } from "../../base/env.ts";
import { failpoint } from "../../base/failpoint.ts";
import type { JsonObject } from "../../base/json.ts";
import { isOfSystem, systemError, whyRefused } from "../../base/system-error.ts";
import { record } from "../../log/journal.ts";
import type { EventId } from "../../model/event.ts";
import type { Home } from "../../store/home.ts";
import { concludeIntention, intend } from "../../store/intention.ts";
import { undo } from "../../store/undo.ts";
import { type Checkpoint, type CheckpointAbout, recordCheckpoint } from "../checkpoint.ts";
import type { LeafState } from "../folder-state.ts";
import { InnerFolders } from "../inner-folders.ts";
import {
  type LeftPath,
  type PlanFacts,
  planRestore,
  type RestorePlan,
  type RestoreStep,
} from "../plan.ts";
import type { Snapshot } from "../snapshot.ts";
import { lookAt } from "../stat-print.ts";
import { entryAt } from "../tree-paths.ts";
import type { WorkingTree } from "../working-tree.ts";
import { type Applied, applySteps, reversed } from "./apply.ts";
import { PresentCheck } from "./present-check.ts";
import { factsJson, restoreKind } from "./restore-entry.ts";

/** What a folder shall become. */
export interface RestoreRequest {
  readonly target: Snapshot;
  /** Paths, or folders with all that is in them; everything where absent. */
  readonly paths?: readonly string[] | undefined;
  /** Only paths that the steps of another plan have. */
  readonly within?: PlanFacts | undefined;
}

/** A plan, and the folder as it was captured for it. */
export interface Preview {
  readonly plan: RestorePlan;
  readonly present: Snapshot;
}

/** How a folder is restored. */
export interface RestoreOptions {
  /** What the safety checkpoint is bound to. */
  readonly about?: Omit<CheckpointAbout, "reason"> | undefined;
  /**
   * Does what belongs to it, such as moving the conversation, before any file changes; returns the entry of the journal
   * by which that is undone. That entry must say `of`: the number it is given.
   */
  readonly alongside?: ((of: EventId) => Promise<EventId>) | undefined;
  /** The entry of the journal that this does again. */
  readonly redoes?: EventId | undefined;
  readonly env?: Environment | undefined;
  /** Hears of each step that is done. */
  readonly onStep?: ((count: number) => void) | undefined;
}

/** What a restore did. */
export interface Restored {
  /** The number by which `undo` takes it back; absent where no file had to change. */
  readonly entry?: EventId;
  /** The folder as it was before. */
  readonly safety?: Checkpoint;
  readonly plan: RestorePlan;
  readonly done: number;
  /** What differs and was left alone, with the reason. */
  readonly left: readonly LeftPath[];
}

/** What a restore would do now; the folder is captured for it, and nothing of it changes. */
export function previewRestore(tree: WorkingTree, request: RestoreRequest): Preview {
  return tree.hold(() => {
    const { target, paths } = request;
    // Some files alone cost what these cost, whatever the size of the folder.
    const isFew = paths !== undefined && areFiles(tree, target, paths);
    const present = isFew ? tree.captureOnly(paths, target) : tree.capture({ toward: target });
    return { present, plan: planRestore(tree.store, { present, ...request }) };
  });
}

/** Whether paths are files or links, in the target and now, in folders that are there. */
function areFiles(tree: WorkingTree, target: Snapshot, paths: readonly string[]): boolean {
  const { folder, store } = tree;
  const folders = new InnerFolders(folder);
  return paths.every((path) => {
    if (path === "" || entryAt(store, target.tree, path)?.kind === "folder") return false;
    return folders.hold(path) && lookAt(`${folder}/${path}`)?.isDirectory() !== true;
  });
}

/**
 * Makes a folder what it was in a snapshot. Order: capture, plan, a safety checkpoint of the present, the intention, what
 * goes along, the files, the entry by which it is undone. Where a step fails, those before it are taken back; where this
 * process dies, the next command that changes something does that.
 */
export async function restoreFiles(
  tree: WorkingTree,
  request: RestoreRequest,
  options: RestoreOptions = {},
): Promise<Restored> {
  return tree.holdWhile(async () => {
    const { present, plan } = previewRestore(tree, request);
    const { alongside, redoes } = options;
    if (plan.steps.length === 0 && alongside === undefined && redoes === undefined)
      return { plan, done: 0, left: plan.left };
    const { home, disk, sync } = tree.store;
    const running = new Running(home.running, disk);
    const attempt: Attempt = { home, running, of: undefined, companion: undefined };
    try {
      running.beginDurably();
      // The intention, which is synced, follows in the same file.
      const about = { ...options.about, reason: "safety" } as const;
      const safety = recordCheckpoint(home, present, about, { sync: false });
      failpoint("restore.saved");
      const data: JsonObject = {
        ...factsJson({ present, ...request }),
        safety: safety.number,
        steps: plan.steps.length,
        ...(redoes !== undefined && { redoes }),
      };
      attempt.of = intend(home, restoreKind, data, { sync });
      failpoint("restore.intended");
      attempt.companion = await alongside?.(attempt.of);
      const applied = applyOrTakeBack(plan.steps, { tree, running, onStep: options.onStep });
      failpoint("restore.applied");
      // As the files: what a power cut takes of either is taken back by the intention.
      const except = applied.left.map(({ path }) => path);
      const said = { ...data, ...(except.length > 0 && { except }), intention: attempt.of };
      const entry = record(home.journal, restoreKind, said, { sync: false });
      failpoint("restore.recorded");
      running.end();
      return { entry, safety, plan, done: applied.done, left: [...plan.left, ...applied.left] };
    } catch (error) {
      throw await failed(error, attempt, options.env ?? processEnvironment());
    }
  });
}

/** What is under way. */
interface Attempt {
  readonly home: Home;
  readonly running: Running;
  of: EventId | undefined;
  companion: EventId | undefined;
}

/** Some steps could be neither done nor taken back. */
class Unfinished extends Error {}

/** Ends what failed, as far as it can be ended now; the rest is for the next command. */
async function failed(error: unknown, attempt: Attempt, env: Environment): Promise<unknown> {
  const { home, running, of, companion } = attempt;
  const cause = error instanceof Unfinished ? error.cause : error;
  try {
    if (error instanceof Unfinished) return explained(cause, "some are not back yet");
    if (companion !== undefined) await undo(home, companion, env);
    if (of !== undefined) concludeIntention(home, of, "it failed and was undone");
    running.end();
  } catch {
    // What failed first is what the user is reported; a later command tries this again.
  }
  return explained(cause, "they are as they were");
}

function explained(cause: unknown, now: string): unknown {
  if (!isOfSystem(cause)) return cause;
  const later = now.includes("yet") ? "; the next command that changes something tries again" : "";
  return systemError(
    cause,
    `The files could not be changed: ${whyRefused(cause)}; ${now}${later}.`,
  );
}

/** Applies steps; where one fails those before it are taken back, and it throws. */
export function applyOrTakeBack(
  steps: readonly RestoreStep[],
  on: {
    readonly tree: WorkingTree;
    readonly running: Running;
    readonly onStep?: ((count: number) => void) | undefined;
  },
): Applied {
  const { tree, running, onStep } = on;
  const captured = (path: string): LeafState | undefined => tree.leafAt(path);
  try {
    return apply(steps, { tree, running, check: new PresentCheck(captured), onStep });
  } catch (error) {
    try {
      apply(reversed(steps), { tree, running, check: new PresentCheck(captured) });
    } catch {
      throw new Unfinished("not taken back", { cause: error });
    }
    throw error;
  }
}

/** Makes steps true in the folder of a tree that is held. */
export function apply(
  steps: readonly RestoreStep[],
  on: {
    readonly tree: WorkingTree;
    readonly running: Running;
    readonly check: PresentCheck;
    readonly onStep?: ((count: number) => void) | undefined;
  },
): Applied {
  const { tree, running, check, onStep } = on;
  const { folder, store } = tree;
  return applySteps(steps, { folder, store, check, running, onStep });
}
