/** The bounds of memories and of what is recalled; a part of `limits`. */
export const memoryLimits = {
  /** How many turns are ranked to answer a question; of more that have its words the most promising ones. */
  rankedTurns: 2_500,
  /** How many turns are compared to answer a question, and how much of each is read. */
  recalledTurns: 60,
  recalledTextChars: 8_000,
  /** Of so many memories at most each is compared with a question; of more only those that share a word with it. */
  recalledEntries: 300,
  /** How many memories of a project are given beside those that answer, and how much of each. */
  recalledBesides: 8,
  besidesChars: 300,
  /** How many answers a person is shown at first. */
  shownAnswers: 6,
  /** How much of a turn a person is shown, unless tokens were asked for. */
  shortAnswerChars: 280,
  /** What one turn or memory takes of an answer at most, and what an answer takes unless the caller says otherwise. */
  recalledChars: 1_200,
  recallTokens: 2_000,
  /** What a digest looks at and gives: entries, characters of a line, tokens unless the settings say otherwise. */
  digestEntries: 500,
  digestLineChars: 300,
  digestTokens: 1_000,
  /** A larger page of an agent's own memories is not read; how many notes one agent has, and how long one is. */
  agentPageBytes: 256 * 1024,
  agentNotes: 1_000,
  agentNoteChars: 2_000,
  /** How many of them answer a question. */
  recalledNotes: 12,
  /** What a block of published memories takes. */
  publishedTokens: 2_000,
  /** A larger derived file is not looked through for a forgotten text. */
  scrubbedFileBytes: 256 * 1024 * 1024,
  /** A hook does not read more of a log than this into the index. */
  digestBehindBytes: 512 * 1024,
  /** The value of one memory as JSON, and how many memories a namespace has; callers may set both lower or higher. */
  memoryEntryBytes: 10 * 1024 * 1024,
  memoryEntries: 10_000,
  /** A larger value is compressed. */
  memoryPlainBytes: 1024,
  memoryDepth: 64,
  memoryKeyChars: 512,
  memoryTags: 64,
  memoryLinks: 256,
  memoryMetadataBytes: 64 * 1024,
  /** A larger file is not evidence for a memory. */
  memoryEvidenceBytes: 64 * 1024 * 1024,
  /** How long a short-term memory is kept unless its author says otherwise. */
  memoryShortTermMs: 7 * 24 * 60 * 60 * 1000,
  /** A look at a memory is written down at most this often. */
  memoryTouchMs: 24 * 60 * 60 * 1000,
  /** How often a memory is written anew if its log is replaced just then. */
  memoryTries: 100,
  /** How far the entries of a query are counted, and how many of them are ranked by their words. */
  memoryCounted: 10_000,
  memoryRanked: 2_500,
  /** Memories a query returns at once. */
  memoryPage: 1_000,
  /** How long a regular expression may look at keys. */
  memoryPatternMs: 1_000,
  /** A file of memories to import. */
  memoryImportBytes: 256 * 1024 * 1024,
  /** A backup of memories that is read. */
  memoryBackupBytes: 1024 * 1024 * 1024,
  /** Memories that an import writes at once. */
  memoryBatch: 1_000,
} as const;
