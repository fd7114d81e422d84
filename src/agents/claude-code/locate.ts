import type { Dirent } from "node:fs";
import { join, sep } from "node:path";
import type { Environment } from "../../base/env.ts";
import { entriesOf, fileStat } from "../../base/folders.ts";
import { sessionIdProblem } from "../../base/ids.ts";
import type { SessionRef } from "../contract.ts";
import { agentName } from "./record-types.ts";
import { rootOf } from "./roots.ts";
import { isSubagentFile, subagentsModifiedMs } from "./side-files.ts";

// A listing shows which sessions have a folder of their own; without one a head need not look there.
const withoutSideFolder = new WeakSet<SessionRef>();

/** Whether a ref was located without a folder of side files; false where nobody knows. */
export function hasNoSideFolder(ref: SessionRef): boolean {
  return withoutSideFolder.has(ref);
}

/** Every transcript of a session, by stat only; subagents' transcripts are part of their session. */
export function* locate(env: Environment): Generator<SessionRef> {
  const root = rootOf(env);
  const projects = join(root, "projects");
  for (const folder of entriesOf(projects)) {
    if (!folder.isDirectory() && !folder.isSymbolicLink()) continue;
    const path = join(projects, folder.name);
    const entries = entriesOf(path);
    const sides = new Set(entries.flatMap((one) => (one.isDirectory() ? one.name : [])));
    for (const entry of entries) {
      const ref = refOf(`${path}${sep}${entry.name}`, entry, root);
      if (ref === undefined) continue;
      if (sides.has(ref.session)) yield withSubagents(ref);
      else {
        withoutSideFolder.add(ref);
        yield ref;
      }
    }
  }
}

/** A subagent may write long after its session did last: then the session has changed too. */
function withSubagents(ref: SessionRef): SessionRef {
  const modifiedMs = subagentsModifiedMs(ref.path.slice(0, -".jsonl".length));
  return modifiedMs > ref.modifiedMs ? { ...ref, modifiedMs } : ref;
}

function refOf(path: string, entry: Dirent, root: string): SessionRef | undefined {
  const { name } = entry;
  if (!name.endsWith(".jsonl") || isSubagentFile(name) || entry.isDirectory()) return undefined;
  const session = name.slice(0, -".jsonl".length);
  if (sessionIdProblem(session) !== undefined) return undefined;
  const stat = fileStat(path);
  if (stat === undefined) return undefined;
  const { sizeBytes, modifiedMs } = stat;
  return { agent: agentName, session, path, sizeBytes, modifiedMs, root };
}
