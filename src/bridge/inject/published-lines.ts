import { pageBehind, pagesOf } from "../../agents/kept-notes.ts";
import type { AgentMemories } from "../../agents/memories-contract.ts";
import type { Environment } from "../../base/env.ts";
import { isRepriseError } from "../../base/errors.ts";
import { smallFile } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import { blockIn } from "../../model/marked-block.ts";

/** The lines of memories that are published in the pages an agent gives its model by itself. */
export function publishedLines(memories: AgentMemories, env: Environment): ReadonlySet<string> {
  const blocks = pagesOf(memories, env).map((page) => {
    const real = pageBehind(page, env);
    const text = real === undefined ? undefined : smallFile(real, limits.agentPageBytes);
    return text === undefined ? "" : blockOf(text);
  });
  return new Set(blocks.flatMap((block) => block.split("\n")).filter((line) => line !== ""));
}

function blockOf(text: string): string {
  try {
    return blockIn(text) ?? "";
  } catch (error) {
    if (!isRepriseError(error)) throw error;
    // A damaged block: nobody knows what of it the agent shows.
    return "";
  }
}
