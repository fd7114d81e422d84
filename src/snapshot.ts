/** Files of a working tree in one moment: capture, compare, go back. */

export type { BlobCipher } from "./blobs/cipher.ts";
export type { BlobStore, StagedBlob } from "./blobs/store.ts";
export type { AdoptedFile } from "./snapshot/adopted-file.ts";
export {
  allCheckpoints,
  type Checkpoint,
  type CheckpointAbout,
  type CheckpointReason,
  forgetCheckpoints,
  recordCheckpoint,
} from "./snapshot/checkpoint.ts";
export {
  type CheckpointFolderOptions,
  changedPaths,
  checkpointFolder,
} from "./snapshot/checkpoint-folder.ts";
export { shownName } from "./snapshot/file-name.ts";
export { findCheckpoint, newestBefore } from "./snapshot/find-checkpoint.ts";
export type { LeafState, SkipReason } from "./snapshot/folder-state.ts";
export type { RuleFacts, RuleSource } from "./snapshot/ignore/rules.ts";
export { type Budget, budgetOf } from "./snapshot/keeping/budget.ts";
export { type AloneBytes, bytesAlone, withRoom } from "./snapshot/keeping/budget-full.ts";
export {
  type Tidied,
  type TidyOptions,
  tidyCheckpoints,
  tidyIsDue,
} from "./snapshot/keeping/tidy.ts";
export {
  type LeftPath,
  type PlanFacts,
  planRestore,
  type RestorePlan,
  type RestoreStep,
} from "./snapshot/plan.ts";
export {
  type Preview,
  previewRestore,
  type Restored,
  type RestoreOptions,
  type RestoreRequest,
  restoreFiles,
} from "./snapshot/restore/restore.ts";
export { readScope, type Scope, type ScopeFacts, type Uncovered } from "./snapshot/scope.ts";
export { isIncomplete, type Snapshot } from "./snapshot/snapshot.ts";
export type { SnapshotPlaces } from "./snapshot/snapshot-store.ts";
export { SnapshotStore } from "./snapshot/snapshot-store.ts";
export type { StatPrint } from "./snapshot/stat-print.ts";
export type { FileEntry, FolderEntry, LinkEntry, Tree, TreeEntry } from "./snapshot/tree.ts";
export {
  diffTrees,
  entryAt,
  type PlacedEntry,
  readFileAt,
  type TreeChange,
  walkTree,
} from "./snapshot/tree-paths.ts";
export { type UncoveredPath, uncoveredPaths } from "./snapshot/uncovered.ts";
export {
  type CaptureOptions,
  WorkingTree,
  type WorkingTreeOptions,
} from "./snapshot/working-tree.ts";
export { type Home, homeAt, userHome } from "./store/home.ts";
