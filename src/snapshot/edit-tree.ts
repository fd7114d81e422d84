import type { LeafCapture } from "./leaf-capture.ts";
import type { SnapshotStore } from "./snapshot-store.ts";
import type { Tree, TreeEntry } from "./tree.ts";
import { below } from "./tree-paths.ts";

/** New entries by path; undefined takes one away. */
export type TreeEdits = ReadonlyMap<string, TreeEntry | undefined>;

/** A tree with some entries replaced: only the folders above them are written anew. */
export function editTree(
  at: { readonly store: SnapshotStore; readonly capture: LeafCapture },
  tree: string | undefined,
  edits: TreeEdits,
  options: { readonly modeOf: (folder: string) => number },
): string {
  return edited(at, tree, [...edits], { ...options, folder: "" });
}

type Edit = readonly [path: string, entry: TreeEntry | undefined];

function edited(
  at: { readonly store: SnapshotStore; readonly capture: LeafCapture },
  tree: string | undefined,
  edits: readonly Edit[],
  options: { readonly modeOf: (folder: string) => number; readonly folder: string },
): string {
  const before: Tree = tree === undefined ? new Map() : at.store.tree(tree);
  const entries = new Map(before);
  const inner = new Map<string, Edit[]>();
  for (const [path, entry] of edits) {
    const slash = path.indexOf("/");
    if (slash >= 0) {
      const name = path.slice(0, slash);
      const edit: Edit = [path.slice(slash + 1), entry];
      const known = inner.get(name);
      if (known === undefined) inner.set(name, [edit]);
      else known.push(edit);
    } else if (entry === undefined) entries.delete(path);
    else entries.set(path, entry);
  }
  for (const [name, below_] of inner) {
    const known = entries.get(name);
    const folder = below(options.folder, name);
    const isFolder = known?.kind === "folder";
    // Nothing is taken away from a folder that is not there.
    if (!isFolder && below_.every(([, entry]) => entry === undefined)) continue;
    entries.set(name, {
      kind: "folder",
      mode: isFolder ? known.mode : options.modeOf(folder),
      tree: edited(at, isFolder ? known.tree : undefined, below_, { ...options, folder }),
    });
  }
  // A name that was there keeps its place in the order.
  const isInOrder = [...entries.keys()].every((name) => before.has(name));
  return at.capture.tree(
    isInOrder ? entries : new Map([...entries].sort(([a], [b]) => (a < b ? -1 : 1))),
  );
}
