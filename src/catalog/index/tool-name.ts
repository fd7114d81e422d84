import type { Act } from "../../model/tool-dialect.ts";
import { wordsOf } from "../query/words.ts";

/** A tool that was called, and what it does, where tools of other agents do the same. */
export interface NamedTool {
  readonly tool?: string | undefined;
  readonly act?: Act | undefined;
}

/** What a tool is called that many agents have, each by a name of its own. */
const acts: Readonly<Record<string, Act>> = {
  bash: "shell",
  shell: "shell",
  read: "read",
  edit: "edit",
  write: "write",
  glob: "glob",
  grep: "grep",
};

/**
 * Whether `tool:` means a tool: it says what the tool does, its name, or the first words of that, such as the server of an
 * MCP tool.
 */
export function isTool({ tool = "", act }: NamedTool, value: string): boolean {
  if (act !== undefined && acts[value.toLowerCase()] === act) return true;
  const words = wordsOf(tool);
  return wordsOf(value).every((word, at) => words[at] === word);
}
