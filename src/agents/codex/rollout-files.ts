import { join, sep } from "node:path";
import { entriesOf } from "../../base/folders.ts";

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const shape = new RegExp(`^rollout-(?:(.{1,40})-)?(${uuid})(?:_(${uuid}))?\\.jsonl(\\.zst)?$`, "i");
const idShape = new RegExp(`^${uuid}$`, "i");

/** What the name of a rollout file says. */
export interface RolloutName {
  readonly thread: string;
  /** The file's own id: the thread's, or after a rewind that of the new segment. */
  readonly rollout: string;
  /** When the file was begun, in local time, as text that sorts. */
  readonly stamp: string;
  readonly compressed: boolean;
}

/** Reads a file name; undefined where Codex would not take the file for a rollout. */
export function parseRolloutName(name: string): RolloutName | undefined {
  const found = shape.exec(name);
  if (found === null) return undefined;
  const thread = found[2]!.toLowerCase();
  return {
    thread,
    rollout: found[3]?.toLowerCase() ?? thread,
    stamp: found[1] ?? "",
    compressed: found[4] !== undefined,
  };
}

/** Whether a text is an id that may be looked up as part of a file name. */
export function isRolloutId(id: string): boolean {
  return idShape.test(id);
}

/** The name a rollout has when it is not compressed: Codex changes between the two at will. */
export function plainPath(path: string): string {
  return path.endsWith(".zst") ? path.slice(0, -".zst".length) : path;
}

/** Orders files of one thread from the oldest to the newest. */
export function compareAge(a: RolloutName, b: RolloutName): number {
  if (a.stamp !== b.stamp) return a.stamp < b.stamp ? -1 : 1;
  // Within one second only the id's own clock decides; the first file of a thread is always oldest.
  if (a.rollout === a.thread || b.rollout === b.thread) return a.rollout === a.thread ? -1 : 1;
  return a.rollout < b.rollout ? -1 : a.rollout > b.rollout ? 1 : 0;
}

/** The time a UUIDv7 was made, as ISO text; undefined for other ids. */
export function timeOfId(id: string): string | undefined {
  if (id[14] !== "7") return undefined;
  const ms = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  return Number.isFinite(ms) && ms > 0 && ms < 8.64e15 ? new Date(ms).toISOString() : undefined;
}

/** A rollout file of the store; nothing of it was read. */
export interface RolloutFile {
  readonly path: string;
  readonly name: RolloutName;
}

/** Every rollout file of the store, archived ones too, by listing folders alone. */
export function* rolloutFiles(root: string): Generator<RolloutFile> {
  yield* filesBelow(join(root, "sessions"), 0);
  yield* filesBelow(join(root, "archived_sessions"), 0);
}

/** Year, month, day, and room for one more: deeper folders are not Codex's. */
const depthMax = 4;

function* filesBelow(folder: string, depth: number): Generator<RolloutFile> {
  for (const entry of entriesOf(folder)) {
    if (entry.isDirectory()) {
      if (depth < depthMax) yield* filesBelow(`${folder}${sep}${entry.name}`, depth + 1);
      continue;
    }
    const name = parseRolloutName(entry.name);
    if (name !== undefined) yield { path: `${folder}${sep}${entry.name}`, name };
  }
}

/** The files of a store by rollout id; where a file exists plain and compressed, the plain one. */
export function indexOfRollouts(root: string): ReadonlyMap<string, RolloutFile> {
  const index = new Map<string, RolloutFile>();
  for (const file of rolloutFiles(root)) {
    const known = index.get(file.name.rollout);
    if (known === undefined || (known.name.compressed && !file.name.compressed)) {
      index.set(file.name.rollout, file);
    }
  }
  return index;
}
