import { basename, dirname, join, sep } from "node:path";
import { uptimeMs } from "../../base/clock.ts";
import { entriesOf, fileStat } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import type { SessionRef } from "../contract.ts";

/** Whether a file is a subagent's transcript: in version 2.0 they lie beside those of the sessions. */
export function isSubagentFile(name: string): boolean {
  return name.startsWith("agent-");
}

/** What lies in a folder that many sessions ask about: their folders, and files beside them. */
interface Listed {
  readonly folder: string;
  readonly atMs: number;
  readonly subagents: readonly string[];
  readonly folders: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
}

/** What the program keeps in folders of their own for all sessions. */
type Place = "transcripts" | "tasks" | "todos";

// All sessions ask for what lies there: it is listed once, as it was at most a moment ago.
const listed = new Map<Place, Listed>();

/**
 * A session's transcript with every file its text may lie in: subagents' transcripts, spilled outputs, and its
 * task list.
 */
export function withSideFiles({ path, root }: SessionRef): readonly string[] {
  const folder = dirname(path);
  const { subagents, folders } = listing("transcripts", folder);
  const own = path.slice(0, -".jsonl".length);
  const session = basename(own);
  const sides = folders.has(session) ? filesBelow(own, 0) : [];
  const tasks = taskFiles(root ?? dirname(dirname(folder)), session);
  return [path, ...sides, ...subagents, ...tasks];
}

/** As `tasks.ts` reads them: a folder of tasks, or one file of older versions. */
function taskFiles(root: string, session: string): readonly string[] {
  const tasks = join(root, "tasks");
  const todos = join(root, "todos");
  const todo = `${session}-agent-${session}.json`;
  const files = listing("tasks", tasks).folders.has(session)
    ? filesBelow(join(tasks, session), 0)
    : [];
  return listing("todos", todos).files.has(todo) ? [...files, join(todos, todo)] : files;
}

function listing(place: Place, folder: string): Listed {
  const nowMs = uptimeMs();
  const known = listed.get(place);
  if (known?.folder === folder && nowMs - known.atMs <= limits.folderMemoryMs) return known;
  const entries = entriesOf(folder);
  const subagents = entries.filter(({ name }) => isSubagentFile(name));
  const made: Listed = {
    folder,
    atMs: nowMs,
    subagents: subagents.map(({ name }) => join(folder, name)),
    folders: new Set(entries.filter((entry) => !entry.isFile()).map(({ name }) => name)),
    files: new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name)),
  };
  listed.set(place, made);
  return made;
}

const deepest = 4;

function filesBelow(folder: string, depth: number): readonly string[] {
  if (depth > deepest) return [];
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path, depth + 1) : [path];
  });
}

/**
 * When the subagents of a session last wrote; 0 where it has none. What else lies in the session's folder is
 * written before the transcript names it.
 */
export function subagentsModifiedMs(sideFolder: string): number {
  const folder = `${sideFolder}${sep}subagents`;
  let newestMs = 0;
  for (const { name } of entriesOf(folder)) {
    if (!isSubagentFile(name) || !name.endsWith(".jsonl")) continue;
    newestMs = Math.max(newestMs, fileStat(`${folder}${sep}${name}`)?.modifiedMs ?? 0);
  }
  return newestMs;
}
