/** The bounds of snapshots and of going back to them; a part of `limits`. */
export const snapshotLimits = {
  /** Files and links one snapshot covers. */
  snapshotFiles: 1_000_000,
  /** A larger file is not captured, unless `.repriseinclude` names it; then up to the second size. */
  capturedFileBytes: 20 * 1024 * 1024,
  includedFileBytes: 128 * 1024 * 1024,
  /** A file of ignore rules. */
  ruleFileBytes: 1024 * 1024,
  /** Folders of snapshots that are kept in memory. */
  rememberedTrees: 16_384,
  /** What is kept of a folder for the next capture; a larger file is made anew. */
  stateCacheBytes: 512 * 1024 * 1024,
  /** Files of large content that a capture has open at once. */
  stagedFiles: 32,
  /** How far apart the times of a prompt and of the checkpoint taken at it may lie. */
  promptSlackMs: 1_000,
  /** Of how many paths a plan says who changed them. */
  judgedPaths: 2_000,
  /** Folders that a restore has open at once. */
  anchoredFolders: 64,
} as const;
