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
  { name: "aider", load: async () => (await import("./aider/index.ts")).aider },
];

/** The names of all agents, in order; none is loaded. */
export function agentNames(): readonly string[] {
  return rows.map(({ name }) => name);
}

/** One agent, without loading the others; undefined where there is none of that name. */
export async function loadAgent(name: string): Promise<Agent | undefined> {
  return rows.find((row) => row.name === name)?.load();
}

/** Every agent, in order. */
export function loadAgents(): Promise<readonly Agent[]> {
  return Promise.all(rows.map((row) => row.load()));
}

/** The names of the agents that call us, in order. */
export const hookedNames: readonly string[] = rows
  .filter(({ hooks }) => hooks !== undefined)
  .map(({ name }) => name);

/** How an agent's hooks speak, nothing else of it loaded; undefined where it has none. */
export async function loadHooks(name: string): Promise<AgentHooks | undefined> {
  return rows.find((row) => row.name === name)?.hooks?.();
}
