import { basename, dirname, extname, join } from "node:path";
import type { Environment } from "../../base/env.ts";
import { fileStat, folderExists, namesIn } from "../../base/folders.ts";
import { hasRows } from "../../sqlite/table-rows.ts";
import type { LocateOptions, SessionRef } from "../contract.ts";
import { projectFolders } from "../project-folders.ts";
import { agentDatabase, memoryDatabase } from "./roots.ts";
import { entryTables, hiveTables } from "./tables.ts";

/** The agent's name in references. */
export const agentName = "claude-flow";

/** What the program keeps in the current project and the known ones, by stat alone. */
export function* locate(env: Environment, options: LocateOptions = {}): Generator<SessionRef> {
  for (const project of projectFolders(env, options)) yield* refsIn(project);
}

/** What a project, or one database of it, holds; nothing if it is none of the program's. */
export function* refsAt(path: string): Generator<SessionRef> {
  if (folderExists(path)) return yield* refsIn(path);
  const isIn = (tables: typeof hiveTables): boolean => {
    try {
      return tables.some((shape) => hasRows(path, shape));
    } catch {
      return false;
    }
  };
  const project = dirname(dirname(path));
  const name = basename(path).startsWith("agentdb") ? "agentdb" : "memory";
  if (isIn(entryTables)) yield* refOf(path, "memory", project, `${name}-${basename(project)}`);
  else if (isIn(hiveTables)) yield* refOf(path, "hive", project);
}

function* refsIn(project: string): Generator<SessionRef> {
  yield* refOf(memoryDatabase(project), "memory", project);
  yield* refOf(agentDatabase(project), "memory", project, `agentdb-${basename(project)}`);
  yield* refOf(join(project, ".hive-mind", "hive.db"), "hive", project);
  yield* refOf(join(project, "memory", "memory-store.json"), "store", project);
  const own = join(project, ".claude-flow");
  if (folderExists(own)) {
    yield* refOf(join(own, "memory", "store.json"), "store", project);
    const automatic = join(own, "data", "auto-memory-store.json");
    yield* refOf(automatic, "store", project, `auto-${basename(project)}`);
    yield* refOf(join(own, "tasks", "store.json"), "tasks", project);
    for (const name of namesIn(join(own, "sessions")))
      if (extname(name) === ".json")
        yield* refOf(join(own, "sessions", name), "session", project, basename(name, ".json"));
  }
  yield* checkpointRef(project);
}

function* refOf(
  path: string,
  part: string,
  project: string,
  session = `${part}-${basename(project)}`,
): Generator<SessionRef> {
  const stat = fileStat(path);
  if (stat !== undefined) yield { agent: agentName, session, path, part, root: project, ...stat };
}

/** Checkpoints of a project are one session; the first file stands for it, with the size and time of all. */
function* checkpointRef(project: string): Generator<SessionRef> {
  const paths = checkpointFiles(join(project, ".claude", "checkpoints"));
  const [first] = paths;
  if (first === undefined) return;
  let sizeBytes = 0;
  let modifiedMs = 0;
  for (const path of paths) {
    const stat = fileStat(path);
    sizeBytes += stat?.sizeBytes ?? 0;
    modifiedMs = Math.max(modifiedMs, stat?.modifiedMs ?? 0);
  }
  const session = `checkpoints-${basename(project)}`;
  const place = { agent: agentName, session, path: first, part: "checkpoints", root: project };
  yield { ...place, sizeBytes, modifiedMs };
}

/** The files of checkpoints in a folder, oldest first by the seconds in their names. */
export function checkpointFiles(folder: string): readonly string[] {
  const secondOf = (name: string): number => Number(/(\d+)/.exec(name)?.[1] ?? 0);
  return namesIn(folder)
    .filter((name) => /^(?:task-)?\d{6,}\.json$|^summary-session-.*\.md$/.test(name))
    .sort((a, b) => secondOf(a) - secondOf(b))
    .map((name) => join(folder, name));
}
