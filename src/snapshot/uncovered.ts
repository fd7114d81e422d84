import { limits } from "../base/limits.ts";
import { listFolder } from "./list-folder.ts";
import { readScope, type Uncovered } from "./scope.ts";
import type { Snapshot } from "./snapshot.ts";
import type { SnapshotStore } from "./snapshot-store.ts";
import { below } from "./tree-paths.ts";

/** A path that is there and that a snapshot of the folder does not have. */
export interface UncoveredPath {
  readonly path: string;
  readonly isFolder: boolean;
  readonly why: Uncovered;
  /** Often such a file cannot be made again, such as `.env` or a local database. */
  readonly isPrecious: boolean;
}

const preciousName = /^\.env(?!\.example$)|\.(?:sqlite3?|db|pem|key|p12|secrets?)$|^secrets?\./i;

/**
 * What a snapshot that was just taken does not cover, the topmost paths of it; what lies in them is not looked at.
 * `.git` is never covered and not named.
 */
export function uncoveredPaths(
  store: SnapshotStore,
  snapshot: Snapshot,
): { readonly paths: readonly UncoveredPath[]; readonly isCut: boolean } {
  const scope = readScope(store, snapshot.scope);
  const paths: UncoveredPath[] = [];
  let isCut = false;
  const look = (folder: string, tree: string): void => {
    const known = store.tree(tree);
    const place = folder === "" ? snapshot.folder : `${snapshot.folder}/${folder}`;
    for (const { name, isFolder } of listFolder(place) ?? []) {
      const path = below(folder, name);
      const entry = known.get(name);
      if (entry?.kind === "folder") look(path, entry.tree);
      if (entry !== undefined || name === ".git") continue;
      const why = scope.uncovered(path, { isFolder });
      // What came since the snapshot was taken is nothing to tell of.
      if (why === undefined) continue;
      if (paths.length >= limits.directoryEntries) isCut = true;
      else paths.push({ path, isFolder, why, isPrecious: !isFolder && preciousName.test(name) });
    }
  };
  look("", snapshot.tree);
  return { paths, isCut };
}
