/**
 * Memories of projects and users, with evidence: store, get, update, forget, query. The log of a namespace is the truth,
 * the index is derived from it.
 */
export type { HookScope } from "./agents/hooks-contract.ts";
export type { Origin } from "./memory/agents/origin.ts";
export { proposeSources } from "./memory/agents/propose-sources.ts";
export { type AgentSource, agentSources, type SourcesWanted } from "./memory/agents/sources.ts";
export type { AuditLine, MemoryVersion } from "./memory/audit.ts";
export {
  type BackupDamage,
  type BackupNamespace,
  type ReadBackup,
  readBackup,
} from "./memory/backup/read.ts";
export {
  type MemoryRestore,
  type RestoreOptions,
  restoreMemories,
} from "./memory/backup/restore.ts";
export {
  type BackupOptions,
  type BackupPlace,
  backupMemories,
  type MemoryBackup,
} from "./memory/backup/write.ts";
export type { Callbacks } from "./memory/callbacks.ts";
export type { Cleaned, CleanOptions, ResetOptions } from "./memory/clean.ts";
export type { Spared } from "./memory/compact.ts";
export { conflictsIn, type MemoryConflict } from "./memory/conflicts.ts";
export { type DigestOptions, digestOf } from "./memory/digest.ts";
export type * from "./memory/entry.ts";
export { accessLevels, memoryTypes, provenances, statuses, userOwner } from "./memory/entry.ts";
export type { MemoryFact, StoredEntry } from "./memory/fact.ts";
export type { FoundMemories, FoundMemory } from "./memory/find.ts";
export type { Forgotten } from "./memory/forget.ts";
export {
  formatOfName,
  type MemoryFormat,
  memoryFormats,
  readRecords,
  writeRecords,
} from "./memory/formats/format.ts";
export type { MemoryRecord } from "./memory/formats/record.ts";
export {
  type ConflictRule,
  conflictRules,
  type Imported,
  type ImportOptions,
} from "./memory/import.ts";
export type { Known } from "./memory/known-prints.ts";
export { Memory, type MemoryOptions, openMemory } from "./memory/memory.ts";
export type { Namespace } from "./memory/namespace.ts";
export { type Proposed, proposeFrom } from "./memory/propose/propose.ts";
export type { MemoryQuery, MemorySort, NumberRange, TimeRange } from "./memory/query.ts";
export type {
  Answer,
  Counterpart,
  RecalledEntry,
  RecalledStatement,
  RecalledTurn,
} from "./memory/recall/answer.ts";
export type { Embedder } from "./memory/recall/embed.ts";
export {
  openRecall,
  type Recall,
  type Recalled,
  type RecallOptions,
  recall,
} from "./memory/recall/recall.ts";
export type { Clash } from "./memory/recall/statement.ts";
export { type Remembered, remember, type ToRemember } from "./memory/remember.ts";
export {
  type Grouping,
  groupings,
  type MemoryGroup,
  type MemoryStatistics,
} from "./memory/statistics.ts";
export type { StoredValue } from "./memory/value.ts";
