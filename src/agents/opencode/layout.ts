import { basename, dirname, join } from "node:path";
import type { Environment } from "../../base/env.ts";
import { fileStat, namesIn } from "../../base/folders.ts";
import { sessionIdProblem } from "../../base/ids.ts";
import { namedDatabase } from "./roots.ts";

const databaseName = /^opencode(-[A-Za-z0-9._-]+)?\.db$/;

/** Every database there is: one per release channel, and the one `OPENCODE_DB` names. */
export function databases(env: Environment, root: string): readonly string[] {
  const found = namesIn(root)
    .filter((name) => databaseName.test(name))
    .map((name) => join(root, name));
  const named = namedDatabase(env);
  if (named !== undefined && !found.includes(named) && isFile(named)) found.push(named);
  return found;
}

/** Where the files of one session are that an older version wrote. */
export interface SessionFiles {
  readonly session: string;
  readonly infoFile: string;
  readonly messages: string;
  readonly parts: (message: string) => string;
  /** Side files of versions that keep them. */
  readonly todoFile?: string;
  readonly projectFile?: (project: string) => string;
}

/** The files of a session whose info file is known; both generations. */
export function sessionFiles(infoFile: string): SessionFiles {
  const session = basename(infoFile, ".json");
  const above = dirname(dirname(infoFile));
  if (basename(dirname(infoFile)) === "info" && basename(above) === "session") {
    return {
      session,
      infoFile,
      messages: join(above, "message", session),
      parts: (message) => join(above, "part", session, message),
    };
  }
  const storage = dirname(above);
  return {
    session,
    infoFile,
    messages: join(storage, "message", session),
    parts: (message) => join(storage, "part", message),
    todoFile: join(storage, "todo", `${session}.json`),
    projectFile: (project) => join(storage, "project", `${project}.json`),
  };
}

/** The info files of all sessions that older versions wrote below a data root. */
export function* infoFilesBelow(root: string): Generator<string> {
  const sessions = join(root, "storage", "session");
  for (const project of namesIn(sessions)) yield* infoFiles(join(sessions, project));
  const projects = join(root, "project");
  for (const project of namesIn(projects)) {
    yield* infoFiles(join(projects, project, "storage", "session", "info"));
  }
}

function* infoFiles(folder: string): Generator<string> {
  for (const id of idsIn(folder)) yield join(folder, `${id}.json`);
}

/** The ids that name the JSON files of a folder, in native order; names that are no ids are left out. */
export function idsIn(folder: string): readonly string[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length))
    .filter((id) => sessionIdProblem(id) === undefined);
}

/** Whether a path is a regular file. */
export function isFile(path: string): boolean {
  return fileStat(path) !== undefined;
}
