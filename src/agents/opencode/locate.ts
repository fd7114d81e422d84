import { basename, join } from "node:path";
import { exists } from "../../base/disk.ts";
import type { Environment } from "../../base/env.ts";
import { fileStat, statOf } from "../../base/folders.ts";
import type { SessionRef } from "../contract.ts";
import { databases, idsIn, infoFilesBelow, sessionFiles } from "./layout.ts";
import { listSessions } from "./list-sessions.ts";
import { dataRoot, namedDatabase } from "./roots.ts";

/** The agent's name in references. */
export const agentName = "opencode";

/**
 * The sessions of all databases (a session there is a row, so its rows are listed) and, by stat alone,
 * those that older versions keep in JSON files. One that was migrated into a database is listed from there only.
 */
export function* locate(env: Environment): Generator<SessionRef> {
  const root = dataRoot(env);
  if (!exists(root) && namedDatabase(env) === undefined) return;
  const listed = new Set<string>();
  for (const path of databases(env, root)) {
    for (const ref of databaseRefs(path, root)) {
      listed.add(ref.session);
      yield ref;
    }
  }
  for (const infoFile of infoFilesBelow(root)) {
    const ref = fileRef(infoFile, root);
    if (ref === undefined || listed.has(ref.session)) continue;
    listed.add(ref.session);
    yield ref;
  }
}

/** Whether a ref names a file of an older version; otherwise it names a row of a database. */
export function isFileRef(ref: SessionRef): boolean {
  return ref.part === undefined && ref.path.endsWith(".json");
}

function databaseRefs(path: string, root: string): readonly SessionRef[] {
  try {
    return [...listSessions(path).sessions.values()].map(({ info, modifiedMs }) => ({
      agent: agentName,
      session: info.id,
      path,
      // The bytes of one session are known only after reading its rows.
      sizeBytes: 0,
      modifiedMs,
      part: info.id,
      root,
    }));
  } catch {
    // Unreadable as a whole, or no engine: the file itself is named, so that reading it says why.
    const stat = fileStat(path);
    return stat === undefined
      ? []
      : [{ agent: agentName, session: basename(path), path, ...stat, root }];
  }
}

function fileRef(infoFile: string, root: string): SessionRef | undefined {
  const stat = fileStat(infoFile);
  if (stat === undefined) return undefined;
  const place = sessionFiles(infoFile);
  const times = [stat.modifiedMs, modified(place.messages)];
  const last = idsIn(place.messages).at(-1);
  if (last !== undefined) {
    times.push(modified(join(place.messages, `${last}.json`)), modified(place.parts(last)));
  }
  return {
    agent: agentName,
    session: place.session,
    path: infoFile,
    sizeBytes: stat.sizeBytes,
    modifiedMs: Math.max(...times),
    root,
  };
}

function modified(path: string): number {
  return statOf(path)?.mtimeMs ?? 0;
}
