import type { SnapshotStore } from "./snapshot-store.ts";
import { type FolderEntry, sameEntry, type TreeEntry } from "./tree.ts";

/** An entry of a tree and where it lies, from the snapshot's folder. */
export interface PlacedEntry {
  readonly path: string;
  readonly entry: TreeEntry;
}

/** A path that two trees have differently; folders come before what is in them. */
export interface TreeChange {
  readonly path: string;
  /** What the first tree has; absent where it has nothing. */
  readonly from?: TreeEntry;
  /** What the second has. */
  readonly to?: TreeEntry;
}

/** Everything in a tree, folders before what is in them. */
export function* walkTree(store: SnapshotStore, tree: string, folder = ""): Generator<PlacedEntry> {
  for (const [name, entry] of store.treeOnce(tree)) {
    const path = below(folder, name);
    yield { path, entry };
    if (entry.kind === "folder") yield* walkTree(store, entry.tree, path);
  }
}

/** What a tree has at a path; undefined if it has nothing there. The root is the path "". */
export function entryAt(store: SnapshotStore, tree: string, path: string): TreeEntry | undefined {
  let entry: TreeEntry = { kind: "folder", mode: 0, tree };
  for (const name of path === "" ? [] : path.split("/")) {
    const next: TreeEntry | undefined =
      entry.kind === "folder" ? store.tree(entry.tree).get(name) : undefined;
    if (next === undefined) return undefined;
    entry = next;
  }
  return entry;
}

/** The bytes of a file in a tree; undefined if no file lies there. */
export function readFileAt(store: SnapshotStore, tree: string, path: string): Buffer | undefined {
  const entry = entryAt(store, tree, path);
  return entry?.kind === "file" ? store.content(entry) : undefined;
}

/**
 * What differs between two trees. Folders that are equal are not looked into, so this costs what changed. A folder that
 * only one of them has is named, and so is everything in it.
 */
export function* diffTrees(
  store: SnapshotStore,
  from: string,
  to: string,
  folder = "",
): Generator<TreeChange> {
  if (from === to) return;
  const before = store.tree(from);
  const after = store.tree(to);
  // What is equal is passed over here: most is, and an inner generator for each would take most of the time.
  for (const [name, entry] of before) {
    const to = after.get(name);
    if (!sameEntry(entry, to)) yield* diffEntries(store, below(folder, name), { from: entry, to });
  }
  for (const [name, to] of after)
    if (!before.has(name)) yield* diffEntries(store, below(folder, name), { from: undefined, to });
}

function* diffEntries(
  store: SnapshotStore,
  path: string,
  { from, to }: { readonly from: TreeEntry | undefined; readonly to: TreeEntry | undefined },
): Generator<TreeChange> {
  const [before, after] = [folderOf(from), folderOf(to)];
  const isSameKind = before !== undefined && after !== undefined;
  if (!isSameKind || before.mode !== after.mode)
    yield { path, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  if (isSameKind) yield* diffTrees(store, before.tree, after.tree, path);
  else if (before !== undefined)
    for (const { path: inner, entry } of walkTree(store, before.tree, path))
      yield { path: inner, from: entry };
  else if (after !== undefined)
    for (const { path: inner, entry } of walkTree(store, after.tree, path))
      yield { path: inner, to: entry };
}

function folderOf(entry: TreeEntry | undefined): FolderEntry | undefined {
  return entry?.kind === "folder" ? entry : undefined;
}

/** The path of a name in a folder. */
export function below(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** The folder a path lies in; "" for what lies at the top. */
export function folderAbove(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
