/** An agent whose conversation survives: a model, tools, and a session that everything is written into. No dependency. */
export {
  AgentSession,
  type AgentSessionOptions,
  type CreatedAgentSession,
  createAgentSession,
  type LoopListener,
  type LoopStore,
} from "./loop/agent-session.ts";
export type { ApprovalRequest, Approve, Decision } from "./loop/approval.ts";
export type { LoopEvent, TurnEnd, TurnReason } from "./loop/loop-event.ts";
export type { Model, ModelPart, ModelRequest } from "./loop/model.ts";
export { type AiSdkModel, aiSdk } from "./loop/models/ai-sdk.ts";
export { anthropic } from "./loop/models/anthropic.ts";
export type { Endpoint } from "./loop/models/endpoint.ts";
export { gemini } from "./loop/models/gemini.ts";
export { openai } from "./loop/models/openai.ts";
export type { OpenCall } from "./loop/open-calls.ts";
export type { LoopCompaction } from "./loop/room.ts";
export { summariseWith } from "./loop/summary.ts";
export type { AgentTool, ToolAnswer, ToolRun } from "./loop/tool.ts";
