/**
 * Reprise as a library: sessions that survive crashes, with fork, rewind and compaction.
 * The other entries (`reprise/agents`, …) share this one's code, so that this one is loaded quickly.
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
export type { Bell, BellOptions } from "./base/bell.ts";
export type { Disk, Synced } from "./base/disk.ts";
export type { Environment } from "./base/env.ts";
export { type ErrorCode, errorHints, isRepriseError, RepriseError } from "./base/errors.ts";
export { checkSessionId, keyOfSessionId, sessionIdOf } from "./base/ids.ts";
export type { JsonObject } from "./base/json.ts";
export { limits } from "./base/limits.ts";
export type { Collection } from "./blobs/collect.ts";
export { buildContext, type Context, type ContextOptions } from "./context/build.ts";
export { type Estimate, estimateTokens } from "./context/estimate.ts";
export { type HandoverOptions, handover } from "./context/handover.ts";
export type * from "./context/messages.ts";
export type { RoomPlan, WindowOptions } from "./context/room.ts";
export type { PathState } from "./context/state.ts";
export { type SummaryOptions, summarise } from "./context/summarise.ts";
export type { Draft } from "./log/draft.ts";
export type { SyncPolicy } from "./log/durability.ts";
export type { LeaseTimes } from "./log/lease-keeper.ts";
export type { Secret } from "./log/seal.ts";
export type { Demand, Seen } from "./log/seen.ts";
export type { SessionMeta } from "./log/session-meta.ts";
export { type Verification, type VerifyOptions, verifyLog } from "./log/verify.ts";
export type { Step } from "./log/walk.ts";
export type { AppendOptions } from "./log/writer-options.ts";
export type * from "./model/block.ts";
export { bytes, bytesOf, plainText } from "./model/block.ts";
export type { CustomData, CustomEvents } from "./model/custom-data.ts";
export { type Damage, damageSentence } from "./model/damage.ts";
export type * from "./model/event.ts";
export { conversationTypes, isCustom, quietTypes } from "./model/event-groups.ts";
export type { Relation, SessionHead, SessionKind, SessionState } from "./model/head.ts";
export type { Usage } from "./model/usage.ts";
export { AsyncSessionManager } from "./store/async-session-manager.ts";
export type {
  After,
  FollowOptions,
  HeadsFilter,
  OpenedSession,
  PathRange,
  ReadRange,
  Store,
  SyncSessions,
} from "./store/contract.ts";
export type {
  BuiltContext,
  Compacting,
  ContextRequest,
  Conversation,
  Listener,
} from "./store/conversation.ts";
export type { FileLogOptions } from "./store/file-log-options.ts";
export { FileStore } from "./store/files.ts";
export type { Followed, Followers } from "./store/followers.ts";
export { filteredHeads } from "./store/heads-filter.ts";
export type { LogStore } from "./store/log-store.ts";
export { MemoryStore } from "./store/memory.ts";
export type {
  MessageStream,
  StreamEnd,
  StreamOptions,
  StreamTarget,
  ThinkingProof,
} from "./store/message-stream.ts";
export {
  checkAfter,
  type NextEvents,
  nextEvents,
  type StoreEnd,
} from "./store/next-events.ts";
export { type Retention, retentionPresets } from "./store/retention.ts";
export type { EventsOptions, SessionLog, SessionVerification, Shape } from "./store/session-log.ts";
export { SessionManager } from "./store/session-manager.ts";
export type {
  AppendRequest,
  AsyncCreateOptions,
  AsyncOpenOptions,
  AutoCompact,
  CompactOptions,
  CreateOptions,
  OpenOptions,
  Summarise,
  SummaryRequest,
} from "./store/session-options.ts";
export type { StartOptions } from "./store/start.ts";
export type { Branch, TreeNode } from "./store/tree.ts";
export type { Extra, MetaChange, TypedAppends } from "./store/typed-appends.ts";
