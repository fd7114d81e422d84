import { type QuickIdentity, quickIdentity } from "./quick-stat.ts";

/*
 * To list every folder of every agent takes longer than to ask each known path whether it is as it was. So
 * what a look at the machine asked for can be recorded: as long as all of it is the same, another look would
 * see the same. A folder's time changes with every name that comes or goes.
 */

/** What a look saw: of each path the size, the time and the inode of what lies there. */
export interface Look {
  readonly paths: readonly string[];
  /** Three numbers for each path. */
  readonly stamps: Float64Array<ArrayBuffer>;
}

const perPath = 3;
/** Sizes of what is no file, of what is not there, and of what only had to be there. */
const noFile = -1;
const nothing = -2;
const something = -3;

/** What changed so shortly before may change again without its time telling. */
const settleMs = 2_000;

type Stat = Pick<QuickIdentity, "isFile" | "sizeBytes" | "modifiedMs" | "inode">;

/** What is there, whatever it is. */
const anything: Stat = { isFile: true, sizeBytes: something, modifiedMs: 0, inode: 0 };

let seen: Map<string, Stat | undefined> | undefined;
let isWhole = true;

/** Begins to record; there is one record at a time. */
export function beginLook(): void {
  seen = new Map();
  isWhole = true;
}

/** Somebody looks at the machine in a way of their own: what is recorded is not all, and will not be kept. */
export function looksElsewhere(): void {
  isWhole = false;
}

/** Ends recording; undefined where something changed just now, or where not all was recorded. */
export function endLook(nowMs: number): Look | undefined {
  const found = seen ?? new Map<string, Stat | undefined>();
  seen = undefined;
  if (!isWhole) return undefined;
  const stamps = new Float64Array(found.size * perPath);
  let at = 0;
  for (const [path, stat] of found) {
    if (path.includes("\n") || (stat?.modifiedMs ?? 0) > nowMs - settleMs) return undefined;
    stamps[at] = sizeIn(stat);
    stamps[at + 1] = stat?.modifiedMs ?? 0;
    stamps[at + 2] = stat?.inode ?? 0;
    at += perPath;
  }
  return { paths: [...found.keys()], stamps };
}

/** What stat says of a path, recorded. */
export function see(path: string): QuickIdentity | undefined {
  const stat = quickIdentity(path);
  // What was seen first is what a later look is compared with, unless it was only asked whether it is there.
  if (seen !== undefined && (!seen.has(path) || seen.get(path) === anything)) seen.set(path, stat);
  return stat;
}

/** Records a path that is looked at in another way; to be called before it is. */
export function sees(path: string): void {
  if (seen !== undefined) see(path);
}

/** Records whether something lies at a path, where nothing more was asked. */
export function seesWhether(path: string, isThere: boolean): void {
  if (seen !== undefined && !seen.has(path)) seen.set(path, isThere ? anything : undefined);
}

/** A look with what another one saw besides. */
export function joined(look: Look, other: Look): Look {
  const known = new Set(look.paths);
  const paths = [...look.paths];
  const stamps = [...look.stamps];
  for (const [index, path] of other.paths.entries()) {
    if (known.has(path)) continue;
    paths.push(path);
    stamps.push(...other.stamps.subarray(index * perPath, (index + 1) * perPath));
  }
  return { paths, stamps: Float64Array.from(stamps) };
}

/** Whether a look would see what it saw. */
export function isStill({ paths, stamps }: Look): boolean {
  if (stamps.length !== paths.length * perPath) return false;
  let at = 0;
  for (const path of paths) {
    const stat = quickIdentity(path);
    const size = stamps[at];
    if (size === something) {
      if (stat === undefined) return false;
    } else if (size !== sizeIn(stat)) return false;
    else if (stat !== undefined) {
      if (stamps[at + 1] !== stat.modifiedMs || stamps[at + 2] !== stat.inode) return false;
    }
    at += perPath;
  }
  return true;
}

function sizeIn(stat: Stat | undefined): number {
  if (stat === undefined) return nothing;
  return stat.isFile ? stat.sizeBytes : noFile;
}
