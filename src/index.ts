/**
 * Reprise as a library: sessions that survive crashes, with fork, rewind and compaction.
 * Every public name is listed here; the hook bridge,
 * redaction and the conformance suites have entries of their own, so that this one is loaded quickly.
 */

export type {
  Agent,
  AgentEvent,
  Capabilities,
  Cursor,
  LocateOptions,
  ReadBatch,
  ReadOptions,
  ResumeCommand,
  SessionRef,
} from "./agents/contract.ts";
export type { Environment } from "./base/env.ts";
export { type ErrorCode, errorHints, isRepriseError, RepriseError } from "./base/errors.ts";
export { limits } from "./base/limits.ts";
export type { Collection } from "./blobs/collect.ts";
export { buildContext, type Context, type ContextOptions } from "./context/build.ts";
export { handover } from "./context/handover.ts";
export type { ContextMessage, LeftOut, MessageBlock, Remark } from "./context/messages.ts";
export { summarise } from "./context/summarise.ts";
export { estimateTokens } from "./context/tokens.ts";
export type { SyncPolicy } from "./log/durability.ts";
export type { Secret } from "./log/seal.ts";
export type { SessionMeta } from "./log/session-meta.ts";
export { type Verification, verifyLog } from "./log/verify.ts";
export type * from "./model/block.ts";
export { plainText } from "./model/block.ts";
export { type Damage, damageSentence } from "./model/damage.ts";
export type * from "./model/event.ts";
export type { Relation, SessionHead, SessionState } from "./model/head.ts";
export type { Usage } from "./model/usage.ts";
export type { HeadsFilter, OpenedSession, ReadRange, Store } from "./store/contract.ts";
export { FileStore } from "./store/files.ts";
export { MemoryStore } from "./store/memory.ts";
export { type Retention, retentionPresets } from "./store/retention.ts";
export type { EventsOptions } from "./store/session-log.ts";
export type { BuiltContext, Listener } from "./store/session-manager.ts";
export { SessionManager } from "./store/session-manager.ts";
export type {
  AutoCompact,
  CompactOptions,
  CreateOptions,
  OpenOptions,
  Summarise,
} from "./store/session-options.ts";
export type { StartOptions } from "./store/start.ts";
export type { Branch, TreeNode } from "./store/tree.ts";
