/**
 * Every bound of the house, in one place (P12). Sizes are bytes unless the name says otherwise.
 * Writers refuse what is over a limit; readers report it and go on.
 */
export const limits = {
  /** The longest line our own log writes; longer strings go to blobs first. */
  lineBytes: 16 * 1024 * 1024,
  /** The longest line of a foreign file that is held in memory; a longer one is reported as damage. */
  foreignLineBytes: 64 * 1024 * 1024,
  /** A compressed session is decoded up to this size. */
  decodedBytes: 8 * 1024 * 1024 * 1024,
  /** Prompts a reader remembers, to undo a roll-back and to find what a compaction kept. */
  rememberedPrompts: 25_000,
  /** A string longer than this leaves the event and becomes a blob. */
  inlineStringBytes: 64 * 1024,
  /** One blob. */
  blobBytes: 512 * 1024 * 1024,
  /** Content up to this size goes into a pack instead of a file of its own. */
  packedBlobBytes: 256 * 1024,
  /** A pack is closed when it reaches this size. */
  packBytes: 32 * 1024 * 1024,
  /** A pack is rewritten when at least this share of it is dead. */
  packDeadShare: 0.5,
  /** Unreferenced blobs younger than this are never collected. */
  blobGraceMs: 24 * 60 * 60 * 1000,
  /** A meta line is repeated after this many bytes of log. */
  metaEveryBytes: 64 * 1024,
  /** How far back an opening writer verifies the chain. */
  verifyTailBytes: 1024 * 1024,
  /** Read size of forward and backward readers; the system fills a larger buffer more slowly. */
  chunkBytes: 64 * 1024,
  /** Records that begin in the first so many bytes are numbered by line, later ones by offset. */
  countedBytes: 64 * 1024 * 1024,
  /** What a head reads from the start and from the end of a file. */
  headBytes: 4 * 1024,
  tailBytes: 4 * 1024,
  /** How much of a file a head may read when its first line is long. */
  headBytesMax: 1024 * 1024,
  /** Nesting of an event's data. */
  depth: 64,
  /** Forks upon forks. */
  lineageDepth: 256,
  /** Salvage takes this many records out of one damaged line, nested at most this deep. */
  salvagedRecords: 65_536,
  salvageDepth: 1_000,
  /** How often a byte scanner looks for the next record after one that is not whole. */
  resyncAttempts: 256,
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
  /** The longest private key that is masked from its first line to its last. */
  privateKeyChars: 64 * 1024,
  /** How often a text is looked through again for secrets that were glued to masked ones. */
  maskRounds: 8,
  /** Secrets whose placeholder a masker keeps at hand. */
  rememberedSecrets: 1024,
  /** How many event ids one report lists; it counts all of them. */
  reportedIds: 100,
  /** How many lost events in a row a walk to the root steps over when only single ids can be asked for. */
  pathGap: 1024,
  /** The most that is appended at once to a history other programs append to as well. */
  appendedHistoryBytes: 32 * 1024 * 1024,
  /** Entries of one directory listing. */
  directoryEntries: 200_000,
  /** How much of a prompt is searched for what a program wrapped around it, in characters. */
  promptEdgeChars: 16 * 1024,
  /** A reader yields a batch when it holds this many events, or this many bytes of native records. */
  batchEvents: 256,
  batchBytes: 256 * 1024,
  /** How long a list may remember whether a folder exists. */
  folderMemoryMs: 1_000,
  /** Records an index has room for from the start, however large the file; it grows beyond. */
  indexedRecords: 4 * 1024 * 1024,
  /** Records a cursor remembers because later ones may still hang on them. */
  familyRecords: 128,
  /** How far back the end of a session is searched for a leaf it names. */
  leafSearchBytes: 16 * 1024 * 1024,
  /** How far before a compaction near the end the prompts are searched that it repeats. */
  keptSearchBytes: 4 * 1024 * 1024,
  /** Record types a reader does not know, counted by name; the rest are counted together. */
  unknownTypes: 64,
  /** Damages of one source told one by one; the rest are told as a number. */
  toldDamages: 10_000,
  /** Sessions a list shows unless told otherwise. */
  listedSessions: 30,
  /** Candidates an ambiguous reference names. */
  candidates: 10,
  /** Damages kept one by one for a report; the rest are counted. */
  reportedDamages: 100,
  /** Lines of a tool's output in a short transcript. */
  shortToolLines: 8,
  /** Events shown before and after the one asked for. */
  focusEvents: 3,
  /** Texts longer than this are shown as removed and added, without looking for what they share. */
  diffBytes: 256 * 1024,
  /** Tool calls remembered while their results are awaited. */
  openToolCalls: 4096,
  /** How long a reader waits for another program's lock on its database. */
  sqliteBusyMs: 2_000,
  /** Write-ahead logs up to this size are checked frame by frame. */
  walInspectBytes: 256 * 1024 * 1024,
  /** A damaged database is mended in a copy up to this size. */
  mendedDatabaseBytes: 8 * 1024 * 1024 * 1024,
  /** Unreadable ranges of one table a salvage passes over. */
  unreadableRanges: 256,
  /** Word search looks at so many characters at each end of a tool's output. */
  outputEdgeChars: 4 * 1024,
  /** The catalog commits when it has added so many characters of text. */
  catalogBatchChars: 48 * 1024 * 1024,
  /** A catalog that read so many bytes at once is put in order afterwards. */
  catalogTidyBytes: 64 * 1024 * 1024,
  /** How long a command on a terminal brings the catalog up to date before it answers. */
  freshenMs: 2_000,
  /** Events a query ranks; a query with more answers newest first. */
  rankedEvents: 4_000,
  /** Sessions a search shows unless told otherwise, and events of each. */
  foundSessions: 10,
  foundEvents: 3,
  /** Characters of a snippet around what was found. */
  snippetChars: 160,
  /** A query, and the terms in it. */
  queryChars: 4_096,
  queryTerms: 64,
  /** Words of the index a misspelt one is compared with. */
  comparedWords: 200_000,
  /** Threads that search or read for the catalog. */
  catalogThreads: 4,
  /** Batches of rows that wait for the one who writes them. */
  waitingBatches: 8,
} as const;
