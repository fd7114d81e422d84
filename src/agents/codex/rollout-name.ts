const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const shape = new RegExp(`^rollout-(?:(.{1,40})-)?(${uuid})(?:_(${uuid}))?\\.jsonl(\\.zst)?$`, "i");
const idShape = new RegExp(`^${uuid}$`, "i");

/** What the name of a rollout file tells. */
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
