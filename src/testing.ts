/** Conformance suites for those who build a store or read another agent's sessions. */
export { type AgentCase, type AgentScene, agentCases } from "./testing/agent-cases.ts";
export { storeCases } from "./testing/store-cases.ts";
export type { StoreCase } from "./testing/store-scene.ts";
