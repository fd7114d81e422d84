import type { Agent } from "./contract.ts";
import type { Locators } from "./locate-sessions.ts";

const loaders: Readonly<Record<string, () => Promise<Agent>>> = {
  reprise: async () => (await import("./reprise/index.ts")).reprise,
  "claude-code": async () => (await import("./claude-code/index.ts")).claudeCode,
  codex: async () => (await import("./codex/index.ts")).codex,
  "gemini-cli": async () => (await import("./gemini-cli/index.ts")).geminiCli,
  opencode: async () => (await import("./opencode/index.ts")).opencode,
  pi: async () => (await import("./pi/index.ts")).pi,
  aider: async () => (await import("./aider/index.ts")).aider,
};

/** One agent of the registry, without loading the others; undefined where there is none of that name. */
export async function loadAgent(name: string): Promise<Agent | undefined> {
  return Object.hasOwn(loaders, name) ? loaders[name]!() : undefined;
}

/** What finds the sessions of every agent. */
export const everyLocator: Locators = {
  load: async () => (await import("./locators.ts")).locators,
};
