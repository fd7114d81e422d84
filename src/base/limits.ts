import { mcpLimits } from "./mcp-limits.ts";
import { memoryLimits } from "./memory-limits.ts";
import { snapshotLimits } from "./snapshot-limits.ts";

/**
 * Every bound of the house, in one place (P12). Sizes are bytes unless the name says otherwise.
 * Writers refuse what is over a limit; readers report it and go on.
 */
export const limits = {
  /** The longest line our own log writes; longer strings go to blobs first. */
  lineBytes: 16 * 1024 * 1024,
  /** The longest line of a foreign file that is held in memory; a longer one is reported as damage. */
  foreignLineBytes: 16 * 1024 * 1024,
  /** JSON of other programs is parsed up to this depth and weight: a value weighs 1, a key 4 (`json-weight.ts`). */
  parsedDepth: 1_000,
  parsedWeight: 500_000,
  /** Shorter texts are never too heavy: those of others, and our own, which a writer refuses by the same rule. */
  unweighedChars: 4 * 1024,
  ownUnweighedChars: 256 * 1024,
  /** A compressed session is decoded up to this size; a larger one is refused. */
  decodedBytes: 1024 * 1024 * 1024,
  /** What a decoder of zstd may hold of what it decoded: what RFC 8878 asks of every decoder. */
  zstdWindowBytes: 8 * 1024 * 1024,
  /** What it may move in there beyond what the decoded bytes explain: many small blocks cost time, not room. */
  zstdMovedBytes: 4 * 1024 * 1024 * 1024,
  /** What stays free on a disk where something is decoded. */
  spareDiskBytes: 64 * 1024 * 1024,
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
  /** Records that wait in memory to be written to a pack together. */
  gatheredBytes: 1024 * 1024,
  /** A pack is rewritten when at least this share of it is dead. */
  packDeadShare: 0.5,
  /** When there are more packs than this, a collection joins those below the second size. */
  packs: 64,
  smallPackBytes: 4 * 1024 * 1024,
  /** Unreferenced blobs younger than this are never collected. */
  blobGraceMs: 24 * 60 * 60 * 1000,
  /** A meta line is repeated after this many bytes of log. */
  metaEveryBytes: 64 * 1024,
  /** How far back an opening writer verifies the chain. */
  verifyTailBytes: 1024 * 1024,
  /** Read size of forward readers, and of backward ones at first. */
  chunkBytes: 64 * 1024,
  /** The records of a file up to this size are kept by readers that go over it twice. */
  heldBytes: 4 * 1024 * 1024,
  /** What a long walk towards the start of a file reads at once, in the end. */
  walkBytes: 512 * 1024,
  /** Read size of what looks through bytes alone: about what the nearer memory of a processor holds. */
  scanBytes: 256 * 1024,
  /** What a writer of new files gathers before it goes to the disk. */
  writeBytes: 256 * 1024,
  /** A buffer that grew larger than this for one text is given up after it. */
  keptBufferBytes: 4 * 1024 * 1024,
  /** Records that begin in the first so many bytes are numbered by line, later ones by offset. */
  countedBytes: 64 * 1024 * 1024,
  /** What a head reads from the start and from the end of a file. */
  headBytes: 4 * 1024,
  tailBytes: 4 * 1024,
  /** How much of a file a head may read when its first line is long. */
  headBytesMax: 1024 * 1024,
  /** What an older version may have left of a log in a strip beside it. */
  stripBytes: 128 * 1024,
  /** Nesting of an event's data. */
  depth: 64,
  /** Forks upon forks. */
  lineageDepth: 256,
  /** Salvage takes this many records out of one damaged line, nested at most this deep. */
  salvagedRecords: 16_384,
  salvageDepth: 1_000,
  /** How many braces of a damaged document are tried as the beginning of an object. */
  innerAttempts: 4_096,
  /** How often a byte scanner looks for the next record after one that is not whole. */
  resyncAttempts: 256,
  /** Standard input of a command. */
  stdinBytes: 256 * 1024 * 1024,
  /** What a hook reads of its standard input; of more, only the beginning is looked at. */
  hookInputBytes: 1024 * 1024,
  /** How long a hook waits for its input. */
  hookInputMs: 2_000,
  /** A hook's own work; what is not begun by then is left out. */
  hookWorkMs: 100,
  /** What a checkpoint may add to that at a prompt, and before a tool that may change files. */
  promptCheckpointMs: 250,
  toolCheckpointMs: 1_000,
  /** How long it waits for another process that captures the same folder. */
  checkpointWaitMs: 150,
  /** How far back in the journal a hook looks for earlier checkpoints, and at how many. */
  newestCheckpointBytes: 256 * 1024,
  lookedAtCheckpoints: 64,
  /** How far back a hook looks for the newest token counts. */
  usageTailBytes: 2 * 1024 * 1024,
  /** Lines of a bridge log a hook folds; a longer rest is left to `drain`. */
  bridgeRestBytes: 1024 * 1024,
  /** A hook writes a snapshot when so many bytes of lines came after the last one. */
  bridgeSnapshotBytes: 4 * 1024,
  /** Texts in one line of a bridge log, in characters. */
  bridgeTextChars: 1024,
  bridgeCommandChars: 200,
  bridgeEventFiles: 20,
  bridgeTasks: 50,
  /** What a bridge state remembers. */
  bridgeFiles: 200,
  bridgeCommands: 10,
  bridgeAgents: 20,
  bridgeInjections: 256,
  bridgeTools: 256,
  /** The most one event gives to a model. */
  injectedTokens: 4_000,
  /** A bridge lock older than this was left by a crash. */
  bridgeLockMs: 10_000,
  /** At most one `drain` is started by hooks in this time. */
  drainEveryMs: 5 * 60 * 1000,
  /** A session without events for so long is archived. */
  bridgeIdleMs: 24 * 60 * 60 * 1000,
  /** The log of a hook's failures is begun anew at this size. */
  bridgeErrorsBytes: 256 * 1024,
  /** A file of settings that is edited. */
  settingsBytes: 4 * 1024 * 1024,
  /** What a model says is in the log after so long, or once it is so much: half of what is promised, for slow machines. */
  partMs: 125,
  partBytes: 4 * 1024,
  /** A text that came in parts is held up to this length; what follows is a text of its own. */
  streamedChars: 16 * 1024 * 1024,
  /** What else is held that stands between parts, in characters of JSON. */
  besidePartsChars: 8 * 1024 * 1024,
  /** How long a tool may run unless it says otherwise, and how much of its answer a model is given, in characters. */
  toolRunMs: 10 * 60 * 1000,
  toolResultChars: 64 * 1024,
  /** A file that a tool of the chat reads or edits. */
  toolFileBytes: 16 * 1024 * 1024,
  /** How long a command's output may stay open after its end, and how long it may take to heed that it shall end. */
  toolSettleMs: 200,
  toolKillMs: 2_000,
  /** Keys that are pressed while an answer comes in, kept for the next prompt. */
  keptKeys: 10_000,
  /** How often a model is asked in one turn. */
  turnSteps: 200,
  /** How often a request is tried that a model's server could not take, and how long it waits in between at most. */
  modelTries: 3,
  modelWaitMs: 20_000,
  /** A whole answer as a model's server sends it, one event of it, and what is read of an answer that refuses. */
  modelAnswerBytes: 128 * 1024 * 1024,
  modelEventBytes: 16 * 1024 * 1024,
  modelErrorBytes: 64 * 1024,
  /** How long a model may take for a summary before the built-in one stands in. */
  modelSummaryMs: 2 * 60 * 1000,
  titleChars: 200,
  /** Of a session's own facts as JSON: every list reads them, and the log repeats them. */
  metadataChars: 16 * 1024,
  /** How many first events are looked at for a prompt that names a session. */
  titleSearchEvents: 64,
  /** What is copied as one row of a database at most: a line, or damage that was set aside in its place. */
  copiedLineBytes: 64 * 1024 * 1024,
  /** How long a follower waits before it looks by itself, where the system reports no change. */
  followPollMs: 250,
  tagChars: 64,
  tags: 64,
  /** A lease whose holder cannot be examined is free after this silence, unless the holder asked for another one. */
  leaseStaleMs: 30_000,
  leaseStaleLeastMs: 30,
  leaseStaleMostMs: 60 * 60 * 1000,
  /** The same for work that cannot beat in between: a large session that is compressed or put into the index. */
  leaseWorkStaleMs: 10 * 60 * 1000,
  /** A holder beats so many times in the silence that would free its lease. */
  leaseBeats: 6,
  /** A lease is given back after so long without an append. */
  leaseIdleMs: 2_000,
  leaseIdleLeastMs: 10,
  leaseIdleMostMs: 60 * 60 * 1000,
  leaseWaitMs: 5_000,
  /** A lease that was silent for so long is removed by the process that sweeps. */
  leaseForgottenMs: 24 * 60 * 60 * 1000,
  /** The highest number of a lease; a file with a higher one is not a lease. */
  leaseNumber: 999_999_999,
  /** Session files that a process keeps open: at least, at most, and where the system does not say how many it may have. */
  heldFilesLeast: 8,
  heldFilesMost: 4096,
  unknownFileLimit: 256,
  /** How long work that can wait may keep the event loop from everything else. */
  sliceMs: 8,
  /** Folders of leases that opening a store looks at. */
  sweptFolders: 64,
  /** How far apart two changes of a folder are when its time surely distinguishes them. */
  folderTimeMs: 20,
  /** The longest private key that is masked from its first line to its last. */
  privateKeyChars: 64 * 1024,
  /** The longest encoded text that is decoded to look for secrets in it. */
  encodedChars: 256 * 1024,
  /** How much of a stream is held back while secrets are looked for. */
  maskWindowChars: 64 * 1024,
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
  /** A process that cannot be examined and was not heard of for so long counts as dead, where it changed things. */
  silentRunMs: 60 * 60 * 1000,
  /** What a process that changes things says of its temporary files. */
  runningBytes: 4 * 1024 * 1024,
  /** How often a fact of the journal is made anew because somebody else wrote one. */
  journalTries: 64,
  /** Files of a deleted session that the journal names. */
  journalFiles: 1000,
  /** The list of what a backup holds. */
  backupListingBytes: 256 * 1024 * 1024,
  /** Entries of one directory listing. */
  directoryEntries: 200_000,
  /** How much of a prompt is searched for what a program wrapped around it, in characters. */
  promptEdgeChars: 16 * 1024,
  /** A reader yields a batch when it holds this many events, or this many bytes of native records. */
  batchEvents: 256,
  batchBytes: 256 * 1024,
  /** Values that many heads have, such as a project's folder, kept once. */
  rememberedValues: 1024,
  /** How long a list may remember whether a folder exists. */
  folderMemoryMs: 1_000,
  /** Records an index has room for from the start, however large the file; it grows beyond. */
  indexedRecords: 4 * 1024 * 1024,
  /** Records a cursor remembers because later ones may still hang on them. */
  familyRecords: 128,
  /** How far back the end of a session is searched for a leaf it names. */
  leafSearchBytes: 16 * 1024 * 1024,
  /** Characters of a path that are held for a context with a budget, if not more fit into it. */
  heldPathChars: 16 * 1024 * 1024,
  /** How far before what fits into a budget the newest compaction is looked for. */
  summarySearchChars: 4 * 1024 * 1024,
  /** How much of the end is read at once to find as many lines as events are wanted. */
  lastLookBytes: 4 * 1024 * 1024,
  /** How far before a compaction near the end the prompts are searched that it repeats. */
  keptSearchBytes: 4 * 1024 * 1024,
  /** Record types a reader does not know, counted by name; the rest are counted together. */
  unknownTypes: 64,
  /** Damages of one source told one by one; the rest are reported as a number. */
  toldDamages: 10_000,
  /** Sessions a list shows unless told otherwise. */
  listedSessions: 30,
  /** Candidates an ambiguous reference names. */
  candidates: 10,
  /** Damages kept one by one for a report; the rest are counted. */
  reportedDamages: 100,
  /** Lines of a tool's output in a short transcript. */
  shortToolLines: 8,
  /** Sessions that a shell offers while a command is typed. */
  completedSessions: 50,
  /** Sessions that the home screen shows because of what was said in them. */
  contentSessions: 100,
  /** What can be typed on the home screen. */
  typedChars: 200,
  /** A longer text is shown as it is instead of as Markdown. */
  markdownChars: 24 * 1024,
  /** Events shown before and after the one asked for. */
  focusEvents: 3,
  /** So many may follow it, if the last of them is the next answer. */
  focusReach: 16,
  /** Texts longer than this are shown as removed and added, without looking for what they share. */
  diffBytes: 256 * 1024,
  /** Events read before the last ones that are shown, for the names of the tools they answer. */
  eventsBefore: 64,
  /** Tool calls remembered while their results are awaited. */
  openToolCalls: 4096,
  /** The same where they are kept with a cursor: seldom are more than a few open, but some never get a result. */
  awaitedCalls: 128,
  /** The name of a tool that is searched for, in characters. */
  toolNameChars: 200,
  /** How long a reader waits for another program's lock on its database. */
  sqliteBusyMs: 2_000,
  /** Write-ahead logs up to this size are checked frame by frame. */
  walInspectBytes: 256 * 1024 * 1024,
  /** A damaged database is mended in a copy up to this size. */
  mendedDatabaseBytes: 8 * 1024 * 1024 * 1024,
  /** How many times the size of a damaged database its rows may take: those that lie could share its pages without end. */
  carvedTimes: 16,
  /** Unreadable ranges of one table a salvage passes over. */
  unreadableRanges: 256,
  /** A file larger than this is not asked for its writers. */
  blamedFileBytes: 8 * 1024 * 1024,
  /** Lines that may differ between two versions of a text before it is given up to match them. */
  diffSteps: 2_000,
  /** Texts of edits held while they are replayed; whole files that results tell are let go first. */
  replayedBytes: 64 * 1024 * 1024,
  /** What a session did to files is kept for the next look up to this size, in characters. */
  keptActsChars: 16 * 1024 * 1024,
  /** Names a file had before, followed back one after the other. */
  formerNames: 16,
  /** A path a session names, in characters. */
  pathChars: 4_096,
  /** Lines that edits took away, kept in case they came back. */
  goneLines: 100_000,
  /** Places where one text was written, of which a line may come. */
  writtenSpots: 64,
  /** The first words of a prompt, in characters. */
  promptChars: 120,
  /** How long git may take for one answer, and how long the answer may be. */
  gitMs: 10_000,
  gitOutputBytes: 64 * 1024 * 1024,
  /** What a scan for usage reads at once: most of it is passed over, so that calls cost more than filling it. */
  usageChunkBytes: 256 * 1024,
  /** More to scan for usage than this is shared with a second thread. */
  usageSharedBytes: 24 * 1024 * 1024,
  /** Tokens, dollars and moments no single message can have or exceed. */
  usageTokens: 2 ** 32 - 1,
  usageCostUsd: 1_000_000,
  usageTimeMs: 8.64e15,
  /** Messages whose usage is kept between two reports. */
  usageRows: 8_000_000,
  /** A file of prices. */
  priceFileBytes: 4 * 1024 * 1024,
  /** One checkpoint of a graph, decoded. */
  checkpointBytes: 64 * 1024 * 1024,
  /** A page or a state that another program rewrites as a whole, or one value of a row of its tables. */
  documentBytes: 16 * 1024 * 1024,
  /** A ledger, a hand-off or a note of another program that is read; a larger one is left alone. */
  ledgerBytes: 256 * 1024,
  /** Lines of a ledger that are ours, and lines a person took out that are remembered. */
  ledgerLines: 1_000,
  /** Items of one section that we write, and the length of one. */
  ledgerItems: 30,
  ledgerItemChars: 300,
  /** How old the ledger of another session may be to be reported at the start of a new one. */
  ledgerFreshMs: 14 * 24 * 60 * 60 * 1000,
  /** How often a session says again that its ledger is the newest of its project. */
  newestEveryMs: 60_000,
  /** What a hook reads of a transcript's end for a hand-off, and how long that may become. */
  handoffTailBytes: 256 * 1024,
  handoffPrompts: 6,
  handoffTokens: 1_500,
  /** Files of another program's notes that are looked at in one folder. */
  foreignFiles: 64,
  /** The name of a task or an agent. */
  teamNameChars: 80,
  /** What is remembered of the agents of a project. */
  teamAgents: 20,
  teamTasks: 50,
  teamHandovers: 10,
  /** A project's own table of workflows. */
  workflows: 32,
  workflowSteps: 64,
  /** Word search looks at so many characters at each end of a tool's output. */
  outputEdgeChars: 2 * 1024,
  /** The same for what is said in words: longer than any person or model says at once. */
  wordEdgeChars: 512 * 1024,
  /** The catalog commits when it has added so much text. */
  catalogBatchChars: 112 * 1024 * 1024,
  /** The log of the catalog is folded in when so much text was added at once. */
  catalogLogChars: 1024 * 1024,
  /** What the catalog gathers in memory before it becomes a part of the index: fewer parts take less room. */
  catalogHashBytes: 20 * 1024 * 1024,
  /** How often reading a session may end the process that indexes before it is left out; some end for other reasons. */
  catalogAttempts: 5,
  /** The most that is read of what such processes left; a larger file is another one's. */
  catalogAttemptBytes: 1024 * 1024,
  /** How long a command on a terminal brings the catalog up to date before it answers. */
  freshenMs: 2_000,
  /** Events that are ranked for each word of a query; of a word that more have, some are left out. */
  rankedEvents: 200_000,
  /** Events a query without words finds, the newest. */
  listedEvents: 4_000,
  /** Sessions of one family that are read and drawn. */
  familyMembers: 64,
  /** Events before the first prompt of a session that are looked at to find it. */
  openingEvents: 256,
  /** Turns of one branch that a comparison shows, and the characters of a prompt or an answer in it. */
  comparedTurns: 500,
  comparedChars: 16 * 1024,
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
  ...snapshotLimits,
  /** Threads that search or read for the catalog. */
  catalogThreads: 4,
  ...memoryLimits,
  ...mcpLimits,
} as const;
