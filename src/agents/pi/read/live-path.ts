import { type EntryIndex, flag, type Tip } from "./entry-index.ts";

/** What the walk from the leaf to the root found. */
export interface LivePath {
  /** The newest whole entry: where pi goes on; -1 where there is none. */
  readonly leaf: number;
  /** The old leaf lies on the path and no compaction came after it. */
  readonly continues: boolean;
  /** An edit changed what lies before the part that is read. */
  readonly editsBefore: boolean;
  /** By entry: the edit that counts for it. */
  readonly edits: ReadonlyMap<number, number>;
}

/**
 * Marks what pi would replay: from the last whole line up to the root, or up to what the newest
 * compaction on that path keeps. If the kept entry is not on the path, nothing before the compaction is.
 */
export function markLive(
  index: EntryIndex,
  options: { readonly count: number; readonly tip?: Tip | undefined },
): LivePath {
  cutCycles(index, options.count);
  let leaf = options.count - 1;
  while (leaf >= 0 && !index.has(leaf, flag.visible)) leaf -= 1;
  const tip = options.tip === undefined ? -1 : index.findAt(options.tip);
  let continues = options.tip === undefined || leaf < 0;
  let at = leaf;
  for (; isWalkable(index, at); at = index.parentOf(at)) {
    continues ||= at === tip;
    index.mark(at, flag.live);
    if (!index.has(at, flag.compaction)) continue;
    const end = markKept(index, at);
    if (end >= 0) index.mark(end, flag.followed);
    return { leaf, continues, ...liveEdits(index, options) };
  }
  if (at >= 0) index.mark(at, flag.followed);
  continues ||= at >= 0 && at === tip;
  return { leaf, continues, ...liveEdits(index, options) };
}

/** The edits that are replayed, of several for one entry the last. One may be about what was read before. */
function liveEdits(
  index: EntryIndex,
  part: { readonly count: number; readonly tip?: Tip | undefined },
): Pick<LivePath, "edits" | "editsBefore"> {
  const edits = new Map<number, number>();
  let editsBefore = false;
  for (let at = 0; at < part.count; at += 1) {
    if (!index.has(at, flag.edit) || !index.has(at, flag.live)) continue;
    const target = index.targetOf(at);
    if (target >= 0 && !index.has(target, flag.outside)) edits.set(target, at);
    else editsBefore ||= part.tip !== undefined;
  }
  return { edits, editsBefore };
}

/** pi does not see what stands in a damaged line, and what was read earlier is not walked again. */
function isWalkable(index: EntryIndex, at: number): boolean {
  return at >= 0 && index.has(at, flag.visible) && !index.has(at, flag.outside);
}

/**
 * Marks what a compaction keeps, from its parent up to the kept entry, if that is on the way; otherwise
 * it keeps nothing. Returns what comes before.
 */
function markKept(index: EntryIndex, compaction: number): number {
  const from = index.parentOf(compaction);
  const kept = index.keptOf(compaction);
  let at = from;
  while (at !== kept && isWalkable(index, at)) at = index.parentOf(at);
  // What lies before the part that is read is not walked: if the kept entry is there, it is believed.
  const outside = index.has(at, flag.outside) && index.has(kept, flag.outside);
  const found = kept >= 0 && (outside || (at === kept && isWalkable(index, at)));
  if (!found) return from;
  for (at = from; isWalkable(index, at); at = index.parentOf(at)) {
    // The compaction carries the instructions as they were.
    if (!index.has(at, flag.system)) index.mark(at, flag.live);
    if (at === kept) return index.parentOf(at);
  }
  return at;
}

/** Cuts every link that closes a circle, so that walks end. */
function cutCycles(index: EntryIndex, count: number): void {
  // Links that lead backwards in the file cannot close a circle alone; mostly there are no others.
  let forward = false;
  for (let at = 0; at < count && !forward; at += 1) forward = index.parentOf(at) >= at;
  if (!forward) return;
  const done = 1;
  const onWalk = 2;
  const state = new Uint8Array(index.size);
  for (let start = 0; start < count; start += 1) {
    let at = start;
    let closing = -1;
    while (at >= 0 && state[at] === 0) {
      state[at] = onWalk;
      const parent = index.parentOf(at);
      if (parent >= 0 && state[parent] === onWalk) closing = at;
      at = parent;
    }
    // The walk is finished before anything is cut: afterwards it could not be followed any more.
    for (at = start; at >= 0 && state[at] === onWalk; at = index.parentOf(at)) state[at] = done;
    if (closing >= 0) index.mark(forwardLink(index, closing), flag.cycle);
  }
}

/** The entry of a circle that names a later one: pi never writes that, so this link is the wrong one. */
function forwardLink(index: EntryIndex, start: number): number {
  let at = start;
  while (index.parentOf(at) < at) at = index.parentOf(at);
  return at;
}
