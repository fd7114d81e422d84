import { join } from "node:path";
import type { Environment } from "../../base/env.ts";
import { foldersHere } from "../project-folders.ts";

/** The database that the memory commands of 3.x, and hooks and memory of 2.x, share. */
export function memoryDatabase(project: string): string {
  return join(project, ".swarm", "memory.db");
}

/** The second database of 3.x, which its MCP tools and hooks write to. */
export function agentDatabase(project: string): string {
  return join(project, ".swarm", "agentdb-memory.db");
}

/** Where stores of a project may lie. */
export function placesIn(project: string): readonly string[] {
  const names = [".swarm", ".claude-flow", ".hive-mind", "memory/memory-store.json"];
  return [...names, ".claude/checkpoints"].map((name) => join(project, name));
}

/** The folders its stores lie in, but for other projects. */
export function roots(env: Environment): readonly string[] {
  return foldersHere(env).flatMap(placesIn);
}
