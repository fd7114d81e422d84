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
