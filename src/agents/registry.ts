import { exists } from "../base/disk.ts";
import type { Environment } from "../base/env.ts";
import { RepriseError } from "../base/errors.ts";
import { statOf } from "../base/folders.ts";
import { type AgentModule, moduleProblem, requireAgent } from "./agent-module.ts";
import { foldersIn as aiosFolders } from "./aios/places.ts";
import { ampRoot } from "./amp/roots.ts";
import { placesIn as claudeFlowPlaces } from "./claude-flow/roots.ts";
import { folderIn as pageFolderIn } from "./claude-sessions/pages.ts";
import { codexHome } from "./codex/roots.ts";
import { thoughtsIn } from "./continuous-claude/pages.ts";
import type { Agent } from "./contract.ts";
import { copilotRoot } from "./copilot-cli/roots.ts";
import { placesIn as crewaiPlaces } from "./crewai/roots.ts";
import { roots as cursorRoots } from "./cursor/roots.ts";
import { geminiRoot } from "./gemini-cli/roots.ts";
import type { AgentHooks } from "./hooks-contract.ts";
import { placesIn as langgraphPlaces } from "./langgraph/roots.ts";
import type { AgentMcp } from "./mcp-contract.ts";
import type { AgentMemories } from "./memories-contract.ts";
import type { AgentNotes } from "./notes-contract.ts";
import { roots as opencodeRoots } from "./opencode/roots.ts";
import { foldersHere } from "./project-folders.ts";
import { qwenRoot } from "./qwen-code/roots.ts";
import { isInSources } from "./source-places.ts";
import { sessionsIn as synapseSessionsIn } from "./synapse/places.ts";
import { roots as webExportRoots } from "./web-export/roots.ts";

/** What is known of an agent before it is loaded. */
interface AgentRow {
  readonly name: string;
  load(): Promise<Agent>;
  /** Where its stores lie, all of them: while none of these is there, a list does not load it. */
  roots?(env: Environment): readonly string[];
  /** Where its store lies in a project, for agents that keep one in each: likewise. */
  inProject?(project: string, env: Environment): readonly string[];
  /** How its hooks speak. Apart from the rest, because a hook starts with every event and needs nothing else. */
  hooks?(): Promise<AgentHooks>;
  /** How what it wrote down about a project is found, likewise. */
  notes?(): Promise<AgentNotes>;
  /** How it is reported MCP servers, likewise. */
  mcp?(): Promise<AgentMcp>;
  /** Where its own memories lie, likewise. */
  memories?(): Promise<AgentMemories>;
  /** Whether memories can be published into a page of its own. */
  readonly publishes?: true;
}

/** Every agent, in the order lists and docs name them. */
const rows: readonly AgentRow[] = [
  { name: "reprise", load: async () => (await import("./reprise/index.ts")).reprise },
  {
    name: "claude-code",
    load: async () => (await import("./claude-code/index.ts")).claudeCode,
    hooks: async () => (await import("./claude-code/hooks.ts")).claudeCodeHooks,
    mcp: async () => (await import("./claude-code/mcp.ts")).mcp,
    memories: async () => (await import("./claude-code/memories.ts")).memories,
    publishes: true,
  },
  {
    name: "codex",
    load: async () => (await import("./codex/index.ts")).codex,
    roots: (env) => [codexHome(env)],
    hooks: async () => (await import("./codex/hooks.ts")).codexHooks,
    mcp: async () => (await import("./codex/mcp.ts")).mcp,
    memories: async () => (await import("./codex/memories.ts")).memories,
    publishes: true,
  },
  {
    name: "gemini-cli",
    load: async () => (await import("./gemini-cli/index.ts")).geminiCli,
    roots: (env) => [geminiRoot(env)],
    hooks: async () => (await import("./gemini-cli/hooks.ts")).geminiCliHooks,
    mcp: async () => (await import("./gemini-cli/mcp.ts")).mcp,
    memories: async () => (await import("./gemini-cli/memories.ts")).memories,
    publishes: true,
  },
  {
    name: "opencode",
    load: async () => (await import("./opencode/index.ts")).opencode,
    roots: opencodeRoots,
    hooks: async () => (await import("./opencode/hooks.ts")).opencodeHooks,
    mcp: async () => (await import("./opencode/mcp.ts")).mcp,
    memories: async () => (await import("./opencode/memories.ts")).memories,
  },
  { name: "pi", load: async () => (await import("./pi/index.ts")).pi },
  {
    name: "copilot-cli",
    load: async () => (await import("./copilot-cli/index.ts")).copilotCli,
    roots: (env) => [copilotRoot(env)],
    mcp: async () => (await import("./copilot-cli/mcp.ts")).mcp,
    memories: async () => (await import("./copilot-cli/memories.ts")).memories,
  },
  {
    name: "cursor",
    load: async () => (await import("./cursor/index.ts")).cursor,
    roots: cursorRoots,
    mcp: async () => (await import("./cursor/mcp.ts")).mcp,
    notes: async () => (await import("./cursor/notes.ts")).notes,
    memories: async () => (await import("./cursor/memories.ts")).memories,
    publishes: true,
  },
  {
    name: "amp",
    load: async () => (await import("./amp/index.ts")).amp,
    roots: (env) => [ampRoot(env)],
  },
  {
    name: "qwen-code",
    load: async () => (await import("./qwen-code/index.ts")).qwenCode,
    roots: (env) => [qwenRoot(env)],
  },
  { name: "aider", load: async () => (await import("./aider/index.ts")).aider },
  {
    name: "crewai",
    load: async () => (await import("./crewai/index.ts")).crewai,
    inProject: crewaiPlaces,
    memories: async () => (await import("./crewai/memories.ts")).memories,
  },
  {
    name: "claude-flow",
    load: async () => (await import("./claude-flow/index.ts")).claudeFlow,
    inProject: claudeFlowPlaces,
    memories: async () => (await import("./claude-flow/memories.ts")).memories,
  },
  {
    name: "langgraph",
    load: async () => (await import("./langgraph/index.ts")).langgraph,
    inProject: langgraphPlaces,
  },
  {
    name: "web-export",
    load: async () => (await import("./web-export/index.ts")).loadWebExport(),
    roots: webExportRoots,
  },
  {
    name: "continuous-claude",
    load: async () => (await import("./continuous-claude/index.ts")).continuousClaude,
    inProject: (project) => [thoughtsIn(project)],
    notes: async () => (await import("./continuous-claude/notes.ts")).notes,
  },
  {
    name: "claude-sessions",
    load: async () => (await import("./claude-sessions/index.ts")).claudeSessions,
    inProject: (project) => [pageFolderIn(project)],
    notes: async () => (await import("./claude-sessions/notes.ts")).notes,
  },
  {
    name: "aios",
    load: async () => (await import("./aios/index.ts")).aios,
    inProject: aiosFolders,
    notes: async () => (await import("./aios/notes.ts")).notes,
  },
  {
    name: "synapse",
    load: async () => (await import("./synapse/index.ts")).synapse,
    inProject: (project) => [synapseSessionsIn(project)],
    notes: async () => (await import("./synapse/notes.ts")).notes,
  },
];

/** Agents of others, in the order they were registered. */
const registered = new Map<string, AgentModule>();

/** Adds an agent of somebody else, to be loaded when it is needed; throws `bad_input` if it cannot be one. */
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

/** One agent, without loading the others; undefined if there is none of that name. */
export async function loadAgent(name: string): Promise<Agent | undefined> {
  const row = rows.find((one) => one.name === name);
  if (row !== undefined) return row.load();
  const from = registered.get(name);
  return from && requireAgent(from);
}

type OnFailure = (name: string, error: unknown) => void;

/** Every agent, in order. A registered one that cannot be loaded is reported, and costs the others nothing. */
export function loadAgents(onFailure: OnFailure = () => undefined): Promise<readonly Agent[]> {
  return load(rows, onFailure);
}

/** Every agent but those that can have no session there: enough to list, not to write. */
export function loadAgentsIn(
  env: Environment,
  onFailure: OnFailure = () => undefined,
  projects: readonly string[] = [],
): Promise<readonly Agent[]> {
  const here = [...foldersHere(env), ...projects];
  const isThere = (row: AgentRow): boolean =>
    (row.roots?.(env).some(exists) ?? row.inProject === undefined) ||
    isIn(row, here, env) ||
    isInSources(row, env);
  return load(rows.filter(isThere), onFailure);
}

/**
 * The agents that keep a store in one of these projects, or are the one that is asked for, without those that are loaded
 * already: what sessions say of projects is known only after others were listed.
 */
export function loadAgentsOf(
  projects: Iterable<string>,
  options: {
    readonly env: Environment;
    readonly loaded: readonly Agent[];
    readonly asked?: string | undefined;
  },
): Promise<readonly Agent[]> {
  const known = new Set(options.loaded.map(({ name }) => name));
  const all = [...projects];
  const isWanted = (row: AgentRow): boolean =>
    row.inProject !== undefined &&
    !known.has(row.name) &&
    (row.name === options.asked || isIn(row, all, options.env));
  return Promise.all(rows.filter(isWanted).map((row) => row.load()));
}

function isIn({ inProject }: AgentRow, projects: readonly string[], env: Environment): boolean {
  if (inProject === undefined) return false;
  return projects.some((project) =>
    inProject(project, env).some((path) => statOf(path) !== undefined),
  );
}

async function load(from: readonly AgentRow[], onFailure: OnFailure): Promise<readonly Agent[]> {
  const own = await Promise.all(from.map((row) => row.load()));
  const others = registeredAgents().flatMap((module) => {
    try {
      return [requireAgent(module)];
    } catch (error) {
      onFailure(module.name, error);
      return [];
    }
  });
  return [...own, ...others];
}

/** The names of the agents that call us, in order. */
export const hookedNames: readonly string[] = rows
  .filter(({ hooks }) => hooks !== undefined)
  .map(({ name }) => name);

/** How an agent's hooks speak, nothing else of it loaded; undefined if it has none. */
export async function loadHooks(name: string): Promise<AgentHooks | undefined> {
  return rows.find((row) => row.name === name)?.hooks?.();
}

/** Every program that can start our MCP server, in order; one of them has no sessions that are read. */
const mcpRows: readonly { readonly name: string; load(): Promise<AgentMcp> }[] = [
  ...rows.flatMap(({ name, mcp }) => (mcp === undefined ? [] : [{ name, load: mcp }])),
  { name: "vscode", load: async () => (await import("./vscode-mcp.ts")).vscodeMcp },
];

/** The names of the programs that can start our MCP server, in order. */
export const mcpNames: readonly string[] = mcpRows.map(({ name }) => name);

/** How a program is reported MCP servers, nothing else of it loaded; undefined if there is none of that name. */
export async function loadMcp(name: string): Promise<AgentMcp | undefined> {
  return mcpRows.find((row) => row.name === name)?.load();
}

/** Every place of memories that are not ours, in order; one belongs to no agent alone, and comes first. */
const memoryRows: readonly MemoryRow[] = [
  {
    name: "agents-md",
    load: async () => (await import("./agents-md.ts")).agentsMd,
    publishes: true,
  },
  ...rows.flatMap(({ name, memories, publishes }) =>
    memories === undefined ? [] : [{ name, load: memories, publishes: publishes === true }],
  ),
];

interface MemoryRow {
  readonly name: string;
  readonly publishes: boolean;
  load(): Promise<AgentMemories>;
}

/** The names of all places of memories that are not ours, in order. */
export const memoryNames: readonly string[] = memoryRows.map(({ name }) => name);

/** The names of those that memories can be published to. */
export const publishNames: readonly string[] = memoryRows
  .filter(({ publishes }) => publishes)
  .map(({ name }) => name);

/** Where the memories of a name lie, nothing else of the agent loaded; undefined if there is none of that name. */
export async function loadMemories(name: string): Promise<AgentMemories | undefined> {
  return memoryRows.find((row) => row.name === name)?.load();
}

/** How the notes are found that agents keep about projects, nothing else of the agents loaded. */
export async function loadNotes(): Promise<readonly AgentNotes[]> {
  return Promise.all(rows.flatMap(({ notes }) => notes?.() ?? []));
}
