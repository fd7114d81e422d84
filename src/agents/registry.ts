import { RepriseError } from "../base/errors.ts";
import { type AgentModule, moduleProblem, requireAgent } from "./agent-module.ts";
import type { Agent } from "./contract.ts";
import type { AgentHooks } from "./hooks-contract.ts";

/** What is known of an agent before it is loaded. */
interface AgentRow {
  readonly name: string;
  load(): Promise<Agent>;
  /** How its hooks speak. Apart from the rest, because a hook starts with every event and needs nothing else. */
  hooks?(): Promise<AgentHooks>;
}

/** Every agent, in the order lists and docs name them. */
const rows: readonly AgentRow[] = [
  { name: "reprise", load: async () => (await import("./reprise/index.ts")).reprise },
  {
    name: "claude-code",
    load: async () => (await import("./claude-code/index.ts")).claudeCode,
    hooks: async () => (await import("./claude-code/hooks.ts")).claudeCodeHooks,
  },
  {
    name: "codex",
    load: async () => (await import("./codex/index.ts")).codex,
    hooks: async () => (await import("./codex/hooks.ts")).codexHooks,
  },
  {
    name: "gemini-cli",
    load: async () => (await import("./gemini-cli/index.ts")).geminiCli,
    hooks: async () => (await import("./gemini-cli/hooks.ts")).geminiCliHooks,
  },
  {
    name: "opencode",
    load: async () => (await import("./opencode/index.ts")).opencode,
    hooks: async () => (await import("./opencode/hooks.ts")).opencodeHooks,
  },
  { name: "pi", load: async () => (await import("./pi/index.ts")).pi },
  { name: "copilot-cli", load: async () => (await import("./copilot-cli/index.ts")).copilotCli },
  { name: "aider", load: async () => (await import("./aider/index.ts")).aider },
];

/** Agents of others, in the order they were registered. */
const registered = new Map<string, AgentModule>();

/** Adds an agent of somebody else, to be loaded when it is needed; throws `bad_input` where it cannot be one. */
export function registerAgent(from: AgentModule): void {
  const isTaken = rows.some(({ name }) => name === from.name);
  const problem = isTaken ? "there is an agent of this name" : moduleProblem(from);
  if (problem !== undefined)
    throw new RepriseError("bad_input", `The agent ${from.name} cannot be registered: ${problem}.`);
  registered.set(from.name, { name: from.name, module: from.module });
}

/** The agents that were registered, so that a thread can register them as well. */
export function registeredAgents(): readonly AgentModule[] {
  return [...registered.values()];
}

/** The names of all agents, in order; none is loaded. */
export function agentNames(): readonly string[] {
  return [...rows.map(({ name }) => name), ...registered.keys()];
}

/** One agent, without loading the others; undefined where there is none of that name. */
export async function loadAgent(name: string): Promise<Agent | undefined> {
  const row = rows.find((one) => one.name === name);
  if (row !== undefined) return row.load();
  const from = registered.get(name);
  return from && requireAgent(from);
}

/** Every agent, in order. A registered one that cannot be loaded is told of, and costs the others nothing. */
export async function loadAgents(
  onFailure: (name: string, error: unknown) => void = () => undefined,
): Promise<readonly Agent[]> {
  const own = await Promise.all(rows.map((row) => row.load()));
  const others = registeredAgents().flatMap((from) => {
    try {
      return [requireAgent(from)];
    } catch (error) {
      onFailure(from.name, error);
      return [];
    }
  });
  return [...own, ...others];
}

/** The names of the agents that call us, in order. */
export const hookedNames: readonly string[] = rows
  .filter(({ hooks }) => hooks !== undefined)
  .map(({ name }) => name);

/** How an agent's hooks speak, nothing else of it loaded; undefined where it has none. */
export async function loadHooks(name: string): Promise<AgentHooks | undefined> {
  return rows.find((row) => row.name === name)?.hooks?.();
}
