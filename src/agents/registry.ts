import { aider } from "./aider/index.ts";
import { claudeCode } from "./claude-code/index.ts";
import { codex } from "./codex/index.ts";
import type { Agent } from "./contract.ts";
import { geminiCli } from "./gemini-cli/index.ts";
import { opencode } from "./opencode/index.ts";
import { pi } from "./pi/index.ts";
import { reprise } from "./reprise/index.ts";

/** Every agent whose sessions are read, in the order lists and docs name them. */
export const agents: readonly Agent[] = [
  reprise,
  claudeCode,
  codex,
  geminiCli,
  opencode,
  pi,
  aider,
];

/** Agents that find more when they know the projects other sessions ran in. */
const askingProjects: ReadonlySet<string> = new Set(["gemini-cli", "pi", "aider"]);

/** Whether an agent's sessions are found, or named, by the projects of other sessions. */
export function asksProjects(agent: Agent): boolean {
  return askingProjects.has(agent.name);
}
