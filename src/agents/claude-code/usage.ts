import type { Dirent } from "node:fs";
import { join, sep } from "node:path";
import type { Environment } from "../../base/env.ts";
import { entriesOf } from "../../base/folders.ts";
import type { AgentUsage, UsagePlace } from "../usage-contract.ts";
import { rootOf } from "./roots.ts";
import { isSubagentFile } from "./side-files.ts";
import { ClaudeCodeLines } from "./usage/lines.ts";

/** Counts what Claude Code's transcripts record. */
export const usage: AgentUsage = {
  version: 3,
  places,
  lines: (table, { session }) => new ClaudeCodeLines(table, { isChild: isSubagentFile(session) }),
};

/** Transcripts, and those of subagents: in a folder of the session's name, or beside it as 2.0 wrote them. */
function* places(env: Environment): Generator<UsagePlace> {
  const projects = join(rootOf(env), "projects");
  for (const project of entriesOf(projects)) {
    if (!project.isDirectory() && !project.isSymbolicLink()) continue;
    const folder = `${projects}${sep}${project.name}`;
    for (const entry of entriesOf(folder)) {
      if (entry.isDirectory()) yield* sidePlaces(`${folder}${sep}${entry.name}`, entry.name, 0);
      else if (isLog(entry)) yield placeOf(folder, entry);
    }
  }
}

/** A session's folder, the folder in it, and room for workflows of subagents. */
const sideDepth = 4;

function* sidePlaces(folder: string, parent: string, depth: number): Generator<UsagePlace> {
  for (const entry of entriesOf(folder)) {
    if (entry.isDirectory()) {
      if (depth < sideDepth) yield* sidePlaces(`${folder}${sep}${entry.name}`, parent, depth + 1);
    } else if (isLog(entry)) yield { ...placeOf(folder, entry), parent };
  }
}

function isLog({ name }: Dirent): boolean {
  return name.endsWith(".jsonl") && !name.startsWith(".");
}

function placeOf(folder: string, { name }: Dirent): UsagePlace {
  return { path: `${folder}${sep}${name}`, session: name.slice(0, -".jsonl".length) };
}
