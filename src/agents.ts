/** Agents as a library: what another program must do so that its sessions are read, counted and written. */
export type { AgentModule } from "./agents/agent-module.ts";
export type {
  Agent,
  AgentEvent,
  AgentWriter,
  Capabilities,
  Cursor,
  Holds,
  LocateOptions,
  ReadBatch,
  ReadOptions,
  ResumeCommand,
  SessionRef,
  Telling,
  TextFiles,
  WriteOptions,
  Written,
} from "./agents/contract.ts";
export { agentNames, loadAgent, registerAgent } from "./agents/registry.ts";
export type { AgentUsage, EventRules, LinesOf, UsagePlace } from "./agents/usage-contract.ts";
export type { Environment } from "./base/env.ts";
export type { LineTaker } from "./jsonl/take-rows.ts";
export type { Damage } from "./model/damage.ts";
export type { EventBody } from "./model/event.ts";
export type { SessionHead } from "./model/head.ts";
export type { Loss, LossName } from "./model/loss.ts";
export type { Opening } from "./model/opening.ts";
export type { OutgoingAbout, OutgoingMessage } from "./model/outgoing.ts";
export type { ToolDialect } from "./model/tool-dialect.ts";
export type { ScanEnd, SessionFacts } from "./model/usage-scan.ts";
export type { Tokens, UsageRow, UsageTable } from "./model/usage-table.ts";
