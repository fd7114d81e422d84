import { nearestTold } from "../../agents/nearest-told.ts";
import type { Mark } from "./outline.ts";

/** What is needed of an event to see which branch it is on. */
export interface Links {
  readonly number: string;
  readonly parent: string | undefined;
  readonly live: boolean;
  /** It is part of the conversation. */
  readonly isSaid: boolean;
  readonly isCompaction: boolean;
  /** The first words, where it is a prompt. */
  readonly text: string | undefined;
  /** The model says something in it. */
  readonly speaks: boolean;
}

interface Branch {
  readonly from: string | undefined;
  events: number;
  leaf: string;
  text: string | undefined;
  speaks: boolean;
}

/**
 * Branches that were left: runs of events that hang on the path to what is replayed and lead nowhere. What a compaction
 * hides is not a branch, and neither is the answer of one of several parallel calls, which hangs beside the path.
 */
export function abandonedBranches(links: readonly Links[]): readonly Mark[] {
  const parents = parentsOf(links);
  const onPath = pathOf(links, parents);
  const branchOf = new Map<string, Branch>();
  const branches: Branch[] = [];
  for (const { number, isSaid, text, speaks } of links) {
    if (onPath.has(number)) continue;
    const hangsOn = parents.get(number);
    let branch = hangsOn === undefined ? undefined : branchOf.get(hangsOn);
    if (branch === undefined) {
      branch = { ...emptyBranch, from: hangsOn, leaf: number };
      branches.push(branch);
    }
    branchOf.set(number, branch);
    if (isSaid) take(branch, { number, text, speaks });
  }
  return branches.filter(({ text, speaks }) => text !== undefined || speaks).map(markOf);
}

/** The numbers of the events that lead to one, or to what is replayed; what a compaction hides is among them. */
export function pathTo(
  links: readonly Links[],
  { leaf, isTree }: { readonly leaf: string | undefined; readonly isTree: boolean },
): ReadonlySet<string> {
  if (!isTree) return orderedTo(links, leaf);
  const parents = parentsOf(links);
  if (leaf === undefined) return pathOf(links, parents);
  const path = new Set<string>();
  let at: string | undefined = leaf;
  for (; at !== undefined && !path.has(at); at = parents.get(at)) path.add(at);
  return path;
}

/** The same in a format without a tree: what is replayed, and what stands before the newest compaction. */
function orderedTo(links: readonly Links[], leaf: string | undefined): ReadonlySet<string> {
  const compacted = links.findLastIndex(({ isCompaction, live }) => isCompaction && live);
  const end =
    leaf === undefined ? links.length : links.findIndex(({ number }) => number === leaf) + 1;
  const isKept = ({ live, number }: Links, at: number): boolean =>
    live || at < compacted || number === leaf;
  return new Set(
    links
      .slice(0, end)
      .filter(isKept)
      .map(({ number }) => number),
  );
}

/** Every event that leads to one that is replayed. */
function pathOf(
  links: readonly Links[],
  parents: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const path = new Set<string>();
  for (const { number, live } of links) {
    if (!live) continue;
    let at: string | undefined = number;
    for (; at !== undefined && !path.has(at); at = parents.get(at)) path.add(at);
  }
  return path;
}

/** What each event follows, where a reader left records out or a compaction began a new tree. */
function parentsOf(links: readonly Links[]): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  const before = new Map<string, string | undefined>();
  const chain: string[] = [];
  let lastSaid: string | undefined;
  for (const { number, parent, isSaid, isCompaction } of links) {
    if (parent !== undefined) {
      const known = before.has(parent) ? parent : nearestTold(chain, parent);
      if (known !== undefined) parents.set(number, known);
    }
    before.set(number, lastSaid);
    if (isCompaction) {
      let root = number;
      for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
      const hidden = before.get(root);
      if (hidden !== undefined) parents.set(root, hidden);
    }
    if (parent !== undefined || isSaid) chain.push(number);
    if (isSaid) lastSaid = number;
  }
  return parents;
}

/**
 * The same in a format without a tree, by order alone: runs behind the newest compaction that are not replayed. Such
 * formats repeat what was said, so that a run counts only with a prompt that nothing replayed repeats.
 */
export function abandonedRuns(links: readonly Links[]): readonly Mark[] {
  const from = links.findLastIndex(({ isCompaction, live }) => isCompaction && live) + 1;
  const replayed = new Set(
    links.flatMap(({ live, text }) => (live && text !== undefined ? text : [])),
  );
  const runs: Branch[] = [];
  let before: string | undefined;
  let run: Branch | undefined;
  for (const { number, live, isSaid, text, speaks } of links.slice(from)) {
    if (!isSaid) continue;
    if (live) {
      before = number;
      run = undefined;
      continue;
    }
    if (run === undefined) {
      run = { ...emptyBranch, from: before, leaf: number };
      runs.push(run);
    }
    take(run, { number, text: replayed.has(text ?? "") ? undefined : text, speaks });
  }
  return runs.filter(({ text }) => text !== undefined).map(markOf);
}

const emptyBranch = { events: 0, text: undefined, speaks: false };

function take(
  branch: Branch,
  { number, text, speaks }: Pick<Links, "number" | "text" | "speaks">,
): void {
  branch.events += 1;
  branch.leaf = number;
  branch.text ??= text;
  branch.speaks ||= speaks;
}

function markOf({ from, events, leaf, text }: Branch): Mark {
  return {
    kind: "branch",
    event: from ?? leaf,
    events,
    leaf,
    ...(text !== undefined && { text }),
  };
}
