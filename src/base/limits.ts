/**
 * Every bound of the house, in one place (P12). Sizes are bytes unless the name says otherwise.
 * Writers refuse what is over a limit; readers report it and go on.
 */
export const limits = {
  /** The longest line our own log writes; longer strings go to blobs first. */
  lineBytes: 16 * 1024 * 1024,
  /** The longest line of a foreign file that is held in memory; a longer one is reported as damage. */
  foreignLineBytes: 64 * 1024 * 1024,
  /** A string longer than this leaves the event and becomes a blob. */
  inlineStringBytes: 64 * 1024,
  /** One blob. */
  blobBytes: 512 * 1024 * 1024,
  /** Content up to this size goes into a pack instead of a file of its own. */
  packedBlobBytes: 256 * 1024,
  /** A pack is closed when it reaches this size. */
  packBytes: 32 * 1024 * 1024,
  /** Unreferenced blobs younger than this are never collected. */
  blobGraceMs: 24 * 60 * 60 * 1000,
  /** A meta line is repeated after this many bytes of log. */
  metaEveryBytes: 64 * 1024,
  /** How far back an opening writer verifies the chain. */
  verifyTailBytes: 1024 * 1024,
  /** Read size of forward and backward readers. */
  chunkBytes: 256 * 1024,
  /** What a head reads from the start and from the end of a file. */
  headBytes: 4 * 1024,
  tailBytes: 4 * 1024,
  /** How much of a file a head may read when its first line is long. */
  headBytesMax: 1024 * 1024,
  /** Nesting of an event's data. */
  depth: 64,
  /** Forks upon forks. */
  lineageDepth: 256,
  /** Salvage looks at this many restart points of one damaged line. */
  salvageAttempts: 256,
  /** Standard input of a command. */
  stdinBytes: 256 * 1024 * 1024,
  titleChars: 200,
  tagChars: 64,
  tags: 64,
  /** A lease whose holder cannot be examined is dead after this silence. */
  leaseStaleMs: 30_000,
  leaseHeartbeatMs: 5_000,
  leaseIdleMs: 2_000,
  leaseWaitMs: 5_000,
  /** Entries of one directory listing. */
  directoryEntries: 200_000,
} as const;
