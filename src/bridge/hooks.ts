import { claudeCodeHooks } from "../agents/claude-code/hooks.ts";
import { codexHooks } from "../agents/codex/hooks.ts";
import { geminiCliHooks } from "../agents/gemini-cli/hooks.ts";
import type { AgentHooks } from "../agents/hooks-contract.ts";
import { opencodeHooks } from "../agents/opencode/hooks.ts";

/** Every agent that calls us, in the order lists and docs name them. */
export const hookedAgents: readonly AgentHooks[] = [
  claudeCodeHooks,
  codexHooks,
  geminiCliHooks,
  opencodeHooks,
];

/** The hooks of an agent, or undefined where it has none we know. */
export function hooksOf(agent: string): AgentHooks | undefined {
  return hookedAgents.find((hooks) => hooks.agent === agent);
}
