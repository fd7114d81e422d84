/** The bounds of snapshots and of going back to them; a part of `limits`. */
export const snapshotLimits = {
  /** Files and links one snapshot covers. */
  snapshotFiles: 1_000_000,
  /** A larger file is not captured, unless `.repriseinclude` names it; then up to the second size. */
  capturedFileBytes: 20 * 1024 * 1024,
  includedFileBytes: 128 * 1024 * 1024,
  /** A file of ignore rules. */
  ruleFileBytes: 1024 * 1024,
  /** Names in folders of snapshots that are kept in memory, a folder counting as one more. */
  rememberedNames: 16_384,
  /** What is kept of a folder for the next capture; a larger file is made anew. */
  stateCacheBytes: 512 * 1024 * 1024,
  /** Files of large content that a capture has open at once. */
  stagedFiles: 32,
  /** Content of a capture that waits to be settled together. */
  stagedRecords: 16_384,
  /** How far apart the times of a prompt and of the checkpoint taken at it may lie. */
  promptSlackMs: 1_000,
  /** Of how many paths a plan says who changed them. */
  judgedPaths: 2_000,
  /** Folders that a restore has open at once. */
  anchoredFolders: 192,
  /** What all snapshots of a store may take: the smaller of so many bytes and this share of the free space. */
  snapshotBudgetBytes: 2 * 1024 * 1024 * 1024,
  snapshotBudgetShare: 0.05,
  /** Checkpoints are thinned when so much of the budget is used, until so much is. */
  budgetHighShare: 0.9,
  budgetLowShare: 0.75,
  /** Checkpoints of one session, the labelled ones included; unlabelled ones go first. */
  sessionCheckpoints: 50,
  /** How long all of them are kept, and how long one of each hour; then one of each day is. */
  allCheckpointsMs: 24 * 60 * 60 * 1000,
  hourlyCheckpointsMs: 7 * 24 * 60 * 60 * 1000,
  /** What of a prompt is searched for a checkpoint. */
  boundPromptChars: 4_096,
  /** Checkpoints a list shows unless told otherwise, and paths of one that are named. */
  listedCheckpoints: 20,
  namedPaths: 20,
  /** What is read of an agent's own repository at once. */
  shadowBatchBytes: 64 * 1024 * 1024,
  shadowBatchFiles: 1_000,
  /** How often content that no checkpoint needs is looked for, unless the budget is nearly used. */
  tidyEveryMs: 60 * 60 * 1000,
  /** How often hooks that find no room have it made. */
  roomEveryMs: 60 * 1000,
  /** Unreferenced content of snapshots younger than this is never collected: clocks of disks are coarse. */
  snapshotGraceMs: 2_000,
  /** How long to wait for a folder that is being captured before content is collected. */
  tidyWaitMs: 10_000,
  /** What is known of a folder nobody captured for so long is forgotten. */
  stateCacheIdleMs: 30 * 24 * 60 * 60 * 1000,
} as const;
