import { join, sep } from "node:path";
import type { Environment } from "../../base/env.ts";
import { fileStat, namesIn } from "../../base/folders.ts";
import { sessionIdProblem } from "../../base/ids.ts";
import { openForReading } from "../../sqlite/open.ts";
import type { LocateOptions, SessionRef } from "../contract.ts";
import { projectFolders } from "../project-folders.ts";
import { composerIds, indexedComposers } from "./composers.ts";
import { userFolder } from "./roots.ts";

/** The agent's name in references. */
export const agentName = "cursor";

/** The conversations of the desktop program, and the rules and memory pages of known projects. */
export function* locate(env: Environment, options: LocateOptions = {}): Generator<SessionRef> {
  yield* composerRefs(userFolder(env));
  for (const project of projectFolders(env, options)) yield* pageRefs(project);
}

function* composerRefs(user: string): Generator<SessionRef> {
  const path = join(user, "globalStorage", "state.vscdb");
  const stat = fileStat(path);
  if (stat === undefined) return;
  const refs: SessionRef[] = [];
  try {
    const database = openForReading(path);
    try {
      const indexed = indexedComposers(user);
      for (const id of composerIds(database)) {
        if (sessionIdProblem(id) !== undefined) continue;
        const { cwd, updatedMs = 0 } = indexed.get(id) ?? {};
        refs.push({
          ...{ agent: agentName, session: id, path, part: id, sizeBytes: 0 },
          ...{ modifiedMs: updatedMs, root: cwd ?? "" },
        });
      }
    } finally {
      database.close();
    }
  } catch {
    // Unreadable as a whole, or no engine: the file itself is named, so that reading it tells why.
    refs.push({ agent: agentName, session: "state.vscdb", path, ...stat });
  }
  yield* refs;
}

/** Rules and the pages of a Memory Bank. */
function* pageRefs(project: string): Generator<SessionRef> {
  const pages = [
    join(project, ".cursorrules"),
    ...named(join(project, ".cursor", "rules"), /\.mdc?$/),
    ...named(join(project, "memory-bank"), /\.md$/),
  ];
  for (const path of pages) {
    const stat = fileStat(path);
    if (stat === undefined) continue;
    const [folder = "", name = ""] = path.split(sep).slice(-2);
    const kind = folder === "memory-bank" ? "memory-bank" : "rule";
    const session = `${kind}-${name.replace(/^\./, "").replace(/\.mdc?$/, "")}`;
    if (sessionIdProblem(session) !== undefined) continue;
    yield { agent: agentName, session, path, ...stat, root: project };
  }
}

function named(folder: string, shape: RegExp): readonly string[] {
  return namesIn(folder)
    .filter((name) => shape.test(name))
    .map((name) => join(folder, name));
}

/** Whether a ref names a page of a project; otherwise a conversation in the database. */
export function isPage({ path }: SessionRef): boolean {
  return !path.endsWith(".vscdb");
}

/** Whether a file has the name and the place of a rule or of a Memory Bank's page. */
export function isPagePath(path: string): boolean {
  return pagePath.test(path.replaceAll(sep, "/"));
}

const pagePath = /(?:^|\/)(?:\.cursorrules|\.cursor\/rules\/[^/]+\.mdc?|memory-bank\/[^/]+\.md)$/;
