/** The sessions of every agent on the machine, and what another agent must do so that its sessions are among them. */

export type { FilePrint } from "./additions/added-file.ts";
export type { PiecePrint } from "./additions/added-piece.ts";
export type { Staging } from "./additions/running.ts";
export type { AgentModule } from "./agents/agent-module.ts";
export type {
  Belongings,
  BelongingsOf,
  OwnPiece,
  RowChoice,
} from "./agents/belongings-contract.ts";
export type {
  AgentCheckpoint,
  AgentCheckpointFile,
  AgentCheckpoints,
} from "./agents/checkpoints-contract.ts";
export type {
  Agent,
  AgentEvent,
  AgentWriter,
  Capabilities,
  Cursor,
  Holds,
  LocateOptions,
  NotesOptions,
  NotesWriter,
  ReadBatch,
  ReadOptions,
  ResumeCommand,
  SessionRef,
  Telling,
  TextFiles,
  WriteOptions,
  Written,
} from "./agents/contract.ts";
export type { FoundSession, SessionFilter } from "./agents/find-sessions.ts";
export type { ListOptions, OnMachine, SessionList } from "./agents/library.ts";
export {
  addSource,
  findSession,
  listSessions,
  listSources,
  readHead,
  removeSource,
} from "./agents/library.ts";
export type { Reading, ReadSessionOptions, Tally } from "./agents/reading.ts";
export { readSession } from "./agents/reading.ts";
export { type NamedSession, referenceTo } from "./agents/reference.ts";
export { agentNames, loadAgent, registerAgent } from "./agents/registry.ts";
export type {
  SourceChange,
  SourceRemoval,
  SourceShare,
  SourceState,
} from "./agents/sources.ts";
export type { AgentUsage, EventRules, LinesOf, UsagePlace } from "./agents/usage-contract.ts";
export type { Note } from "./agents/user-agents.ts";
export { registerUserAgents } from "./agents/user-agents.ts";
export type { Environment } from "./base/env.ts";
export type { LineTaker } from "./jsonl/take-rows.ts";
export type { Damage } from "./model/damage.ts";
export type { EventBody } from "./model/event.ts";
export type { SessionHead } from "./model/head.ts";
export type { Loss, LossName } from "./model/loss.ts";
export type { SectionName, Sections } from "./model/note-sections.ts";
export type { Opening } from "./model/opening.ts";
export type {
  OutgoingAbout,
  OutgoingAssistant,
  OutgoingCall,
  OutgoingMessage,
  OutgoingNotes,
  OutgoingResult,
  OutgoingResults,
  OutgoingSummary,
  OutgoingThinking,
  OutgoingUser,
} from "./model/outgoing.ts";
export type { SampleFile, SamplePlace } from "./model/sample.ts";
export type { Act, NeutralCall, SpokenCall, ToolDialect } from "./model/tool-dialect.ts";
export type {
  Import as ImportedFrom,
  ScanEnd,
  SessionFacts,
  Uncounted,
} from "./model/usage-scan.ts";
export type { TokenKind, Tokens, UsageRow, UsageTable } from "./model/usage-table.ts";
