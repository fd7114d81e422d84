import { lstatSync, readlinkSync } from "node:fs";
import { resolve } from "node:path";
import { type NamedSession, referenceTo, resolveReference } from "../../../agents/reference.ts";
import { timeOf } from "../../../base/clock.ts";
import { errnoOf, isRepriseError, RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { readRegular } from "../../../base/open-file.ts";
import { dialectsOf } from "../../../catalog/blame/call-acts.ts";
import { pathEvents } from "../../../catalog/compare/path-events.ts";
import {
  type FileSource,
  type FileState,
  filesBefore,
  type Point,
} from "../../../catalog/diff/files-at.ts";
import { type SessionWork, sessionWork } from "../../../catalog/diff/session-work.ts";
import type { Checkpoint } from "../../../snapshot/checkpoint.ts";
import { readScope } from "../../../snapshot/scope.ts";
import type { Snapshot } from "../../../snapshot/snapshot.ts";
import { SnapshotStore } from "../../../snapshot/snapshot-store.ts";
import { diffTrees, entryAt } from "../../../snapshot/tree-paths.ts";
import { WorkingTree } from "../../../snapshot/working-tree.ts";
import type { Home } from "../../../store/home.ts";
import type { CommandContext } from "../run/command.ts";
import { checkpointAt, placeOfEvent } from "./checkpoint-at.ts";
import { isCheckpointNumber, namedCheckpoints, noCheckpoint } from "./named-checkpoint.ts";
import { homeOf } from "./native.ts";

/** One end of a diff as it was asked for. */
export interface DiffPoint extends Point {
  readonly kind: "session" | "checkpoint" | "now";
  /** What the session did up to here, in its own branch. */
  readonly work?: SessionWork;
  /** The captured files it begins with. */
  readonly snapshot?: Snapshot;
}

/** The end of a diff that a text names: `now`, a checkpoint, a session, or an event of one. */
export async function resolvePoint(text: string, context: CommandContext): Promise<DiffPoint> {
  if (text === "now") return nowAt(context.folder, context);
  const home = homeOf(context);
  const checkpoints = namedCheckpoints(context);
  const named = checkpoints.exactly(text);
  if (named !== undefined) return checkpointPoint(named, home);
  try {
    return await sessionPoint(resolveReference(text, context), {
      checkpoints: checkpoints.all,
      context,
    });
  } catch (error) {
    if (!isRepriseError(error, "not_found")) throw error;
    if (isCheckpointNumber(text)) throw noCheckpoint(text);
    const found = checkpoints.loosely(text);
    if (found === undefined) throw error;
    return checkpointPoint(found, home);
  }
}

function checkpointPoint(checkpoint: Checkpoint, home: Home): DiffPoint {
  const { number, label } = checkpoint;
  const name = label === undefined ? `checkpoint ${number}` : `checkpoint ${number} (${label})`;
  return { ...snapshotPoint(checkpoint, home), name };
}

/** The files of a snapshot. */
export function snapshotPoint(snapshot: Snapshot, home: Home): DiffPoint {
  return {
    kind: "checkpoint",
    name: "a snapshot",
    folder: snapshot.folder,
    atMs: timeOf(snapshot.at) ?? 0,
    files: filesIn(snapshot, home),
    acts: [],
    snapshot,
  };
}

/** The end of a session, or an event of it: the newest checkpoint before it, and what the calls since did. */
async function sessionPoint(
  found: NamedSession,
  given: { readonly checkpoints: readonly Checkpoint[]; readonly context: CommandContext },
): Promise<DiffPoint> {
  const { head, event } = found;
  const folder = head.cwd;
  if (folder === undefined) {
    throw new RepriseError("unsupported", "This session does not say in which folder it ran.");
  }
  const dialects = dialectsOf(given.context.agents);
  const work = await sessionWork(found, pathEvents(found), { dialects, folder });
  const ref = referenceTo(found);
  const point: DiffPoint = {
    kind: "session",
    name: event === undefined ? ref : `${ref}@${event}`,
    folder,
    atMs: work.acts.at(-1)?.act.atMs ?? timeOf(head.createdAt) ?? 0,
    files: filesBefore(work.acts),
    acts: work.acts,
    work,
  };
  const base =
    event === undefined ? undefined : await checkpointOf(found, event, given.checkpoints);
  if (base === undefined) return point;
  const baseMs = timeOf(base.at) ?? 0;
  return {
    ...point,
    atMs: Math.max(baseMs, point.atMs),
    files: filesIn(base, homeOf(given.context)),
    acts: work.acts.filter(({ act }) => (act.atMs ?? 0) > baseMs),
    snapshot: base,
  };
}

async function checkpointOf(
  found: NamedSession,
  event: string,
  checkpoints: readonly Checkpoint[],
): Promise<Checkpoint | undefined> {
  if (checkpoints.length === 0) return undefined;
  const place = await placeOfEvent(found, event);
  return place === undefined ? undefined : checkpointAt(found, place, checkpoints);
}

/** Files as a snapshot has them; of what it does not cover nothing is known. */
function filesIn(snapshot: Snapshot, home: Home): FileSource {
  const store = new SnapshotStore(home);
  const scope = readScope(store, snapshot.scope);
  return {
    read: (path) => {
      // What lies outside of the folder is in no snapshot of it.
      if (path.startsWith("/")) return { kind: "unknown" };
      const entry = entryAt(store, snapshot.tree, path);
      const isFolder = entry?.kind === "folder";
      if (scope.uncovered(path, { isFolder }) !== undefined) return { kind: "unknown" };
      if (entry === undefined) return { kind: "absent" };
      if (entry.kind === "link") return entry;
      if (entry.kind === "folder") return { kind: "folder" };
      if (entry.size > limits.blamedFileBytes) return tooLarge;
      return { kind: "file", bytes: store.content(entry), mode: entry.mode };
    },
  };
}

const tooLarge: FileState = { kind: "unreadable", why: "too large to compare" };

/** The folder as it is now. */
export function nowAt(folder: string, { nowMs }: Pick<CommandContext, "nowMs">): DiffPoint {
  return { kind: "now", name: "now", folder, atMs: nowMs, files: filesOn(folder), acts: [] };
}

/** The folder as it is now, captured so that it can be held against a snapshot. */
export function capturedNow(folder: string, context: CommandContext): DiffPoint {
  const home = homeOf(context);
  const tree = WorkingTree.open(folder, { home, userHome: context.env.home });
  try {
    const snapshot = tree.capture();
    return { ...nowAt(folder, context), snapshot };
  } finally {
    tree.close();
  }
}

/** Paths that the snapshots of two points have differently; none where one has no snapshot. */
export function* changedPaths(
  [from, to]: readonly [DiffPoint, DiffPoint],
  context: CommandContext,
): Generator<string> {
  if (from.snapshot === undefined || to.snapshot === undefined) return;
  const store = new SnapshotStore(homeOf(context));
  for (const change of diffTrees(store, from.snapshot.tree, to.snapshot.tree)) {
    const isFolder = [change.from, change.to].some((entry) => entry?.kind === "folder");
    if (!isFolder) yield change.path;
  }
}

/** The beginning of a session: nothing of what it did was done. */
export function beginningOf(point: DiffPoint): DiffPoint {
  return { ...point, name: `the beginning of ${point.name}`, atMs: 0, acts: [] };
}

/** Two sessions' points, each with what the edits of both tell of the files before them. */
export function knowing([from, to]: readonly [DiffPoint, DiffPoint]): readonly [
  DiffPoint,
  DiffPoint,
] {
  const acts = [...(from.work?.acts ?? []), ...(to.work?.acts ?? [])];
  const files = filesBefore(acts.sort((a, b) => (a.act.atMs ?? 0) - (b.act.atMs ?? 0)));
  const isUntold = ({ kind, snapshot }: DiffPoint): boolean =>
    kind === "session" && snapshot === undefined;
  const told = (point: DiffPoint): DiffPoint => (isUntold(point) ? { ...point, files } : point);
  return [told(from), told(to)];
}

/** Files on the disk, never through a link. */
function filesOn(folder: string): FileSource {
  return { read: (path) => onDisk(resolve(folder, path)) };
}

function onDisk(path: string): FileState {
  try {
    const stat = lstatSync(path);
    if (stat.isSymbolicLink()) return { kind: "link", target: readlinkSync(path) };
    if (stat.isDirectory()) return { kind: "folder" };
    if (!stat.isFile()) return { kind: "unreadable", why: "not a file" };
    if (stat.size > limits.blamedFileBytes) return tooLarge;
    return { kind: "file", bytes: readRegular(path), mode: stat.mode & 0o777 };
  } catch (error) {
    const code = errnoOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "absent" };
    return { kind: "unreadable", why: `it cannot be read (${code ?? "unknown"})` };
  }
}

/** When a file on the disk was last written. */
export function changedOnDisk(folder: string): (path: string) => number | undefined {
  return (path) => lstatSync(resolve(folder, path), { throwIfNoEntry: false })?.mtimeMs;
}
