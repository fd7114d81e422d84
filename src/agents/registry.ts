import { claudeCode } from "./claude-code/index.ts";
import { codex } from "./codex/index.ts";
import type { Agent } from "./contract.ts";
import { geminiCli } from "./gemini-cli/index.ts";
import { opencode } from "./opencode/index.ts";
import { pi } from "./pi/index.ts";
import { reprise } from "./reprise/index.ts";

/** Every agent whose sessions are read, in the order lists and docs name them. */
export const agents: readonly Agent[] = [reprise, claudeCode, codex, geminiCli, opencode, pi];

/** Agents that keep sessions inside the projects, so that other sessions tell where to look. */
const projectLocal: ReadonlySet<string> = new Set(["aider"]);

/** Whether an agent's sessions lie inside projects. */
export function isProjectLocal(agent: Agent): boolean {
  return projectLocal.has(agent.name);
}
