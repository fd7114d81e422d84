import { join, relative, sep } from "node:path";
import { findSessions, type Search } from "../../agents/find-sessions.ts";
import { atomicWrite } from "../../base/atomic-write.ts";
import { isoNow } from "../../base/clock.ts";
import type { Environment } from "../../base/env.ts";
import { RepriseError } from "../../base/errors.ts";
import { fileStat, namesIn, statOf } from "../../base/folders.ts";
import type { JsonObject } from "../../base/json.ts";
import { makeFolder } from "../../base/make-folder.ts";
import { type CopiedBytes, copiesOf } from "../../store/copies.ts";
import { copySession, isOfOneSession, planCopy } from "../../store/copy/copy.ts";
import { FileSessions } from "../../store/copy/file-sessions.ts";
import { userHome } from "../../store/home.ts";
import { marksOf, namedBy } from "../../store/marks.ts";
import { ownAgent } from "../../store/own-agent.ts";
import { carriedOf, copyFile } from "./carry.ts";
import { homeIn, type ListedFile, listingName, listingText } from "./listing.ts";
import { isSubagent, tallied } from "./tally.ts";

/** How many sessions of an agent were copied, or were not and why. */
export interface BackupShare {
  readonly agent: string;
  readonly sessions: number;
  readonly why?: string;
}

/** What a backup holds, and what it does not. */
export interface SessionsBackup {
  readonly path: string;
  readonly createdAt: string;
  readonly files: number;
  readonly sizeBytes: number;
  readonly agents: readonly BackupShare[];
  readonly left: readonly BackupShare[];
  /** Sessions with a title, tags or a pin of the user's. */
  readonly marks: number;
  /** Sessions that are copies of others. */
  readonly copies: number;
}

/** How a backup is made. */
export interface BackupOptions {
  /** What the user set, which is kept to be read. */
  readonly settings: JsonObject;
  /** What else is put into the folder, before the backup counts as whole. */
  readonly beside?: () => Promise<unknown>;
  readonly onCopied?: (bytes: number) => void;
}

/** Throws `conflict` if a folder cannot become a backup, because something is in it. */
export function refuseUsedFolder(folder: string): void {
  const stat = statOf(folder);
  if (stat === undefined || (stat.isDirectory() && namesIn(folder).length === 0)) return;
  const what = stat.isDirectory() ? "is not empty" : "is a file";
  throw new RepriseError("conflict", `${folder} ${what}; nothing was written.`, {
    hint: "Name a folder that does not exist yet: each backup has its own.",
  });
}

/**
 * Copies the sessions of all agents into a folder: their own files as they are, laid out like a home, and those of
 * Reprise's store. The list with checksums comes last: a folder without it is not a backup.
 */
export async function backUpSessions(
  folder: string,
  search: Search,
  options: BackupOptions,
): Promise<SessionsBackup> {
  refuseUsedFolder(folder);
  const { env } = search;
  const to = homeIn(folder, env.platform);
  makeFolder(to.home);
  const copied: BackupShare[] = [];
  const left: BackupShare[] = [];
  const files = new Map<string, ListedFile>();
  // Files of subagents belong to the session that started them, which comes first.
  const found = findSessions(search, { subagents: true });
  const keys = new Set<string>();
  const ordered = [...found.filter((one) => !isSubagent(one)), ...found.filter(isSubagent)];
  for (const session of ordered) {
    if (session.agent.name === ownAgent) continue;
    const one = { agent: session.agent.name, sessions: isSubagent(session) ? 0 : 1 };
    const carried = await carriedOf(session, { from: env, to });
    if ("why" in carried) left.push({ ...one, why: carried.why });
    else {
      copied.push(one);
      keys.add(`${one.agent}:${session.head.session}`);
    }
    for (const file of carried.files.filter(({ from }) => !files.has(from))) {
      const modifiedMs = fileStat(file.from)?.modifiedMs ?? 0;
      const { sizeBytes, sha256 } = copyFile(file, { modifiedMs });
      const path = relative(to.home, file.to).split(sep).join("/");
      files.set(file.from, { path, sizeBytes, sha256, modifiedMs });
      options.onCopied?.(sizeBytes);
    }
  }
  const own = copyOwn(env, to, options);
  for (const session of own.sessions) keys.add(`${ownAgent}:${session}`);
  const marks = [...marksOf(userHome(env))].map(([key, mark]) => ({ ...namedBy(key), ...mark }));
  await options.beside?.();
  const createdAt = isoNow();
  const listed = [...files.values()];
  const { settings } = options;
  const copies = copiesOf(userHome(env))
    .filter(({ session }) => keys.has(session))
    .map((copy) => ({ ...copy, files: copy.files.flatMap((file) => listedAs(file, files)) }));
  const { platform } = env;
  const listing = { createdAt, platform, files: listed, marks, copies, settings };
  atomicWrite(join(folder, listingName), listingText(listing));
  return {
    path: folder,
    createdAt,
    files: listed.length,
    sizeBytes: listed.reduce((sum, { sizeBytes }) => sum + sizeBytes, own.sizeBytes),
    agents: tallied([...copied, ...own.copied]),
    left: tallied([...left, ...own.left]),
    marks: marks.length,
    copies: copies.length,
  };
}

/** A file of a copy under the name that the backup has for it. */
function listedAs(
  { path, sizeBytes }: CopiedBytes,
  files: ReadonlyMap<string, ListedFile>,
): readonly CopiedBytes[] {
  const listed = files.get(path);
  return listed === undefined ? [] : [{ path: listed.path, sizeBytes }];
}

function copyOwn(
  env: Environment,
  to: Environment,
  { onCopied }: BackupOptions,
): {
  readonly copied: readonly BackupShare[];
  readonly left: readonly BackupShare[];
  readonly sessions: readonly string[];
  readonly sizeBytes: number;
} {
  const [here, there] = [userHome(env), userHome(to)];
  const from = new FileSessions(here.root, here);
  const into = new FileSessions(there.root, there);
  const copied: BackupShare[] = [];
  const left: BackupShare[] = [];
  const sessions: string[] = [];
  let total = 0;
  for (const { session, action, why } of planCopy(from, into)) {
    const one = { agent: ownAgent, sessions: session.isHidden ? 0 : 1 };
    try {
      if (action === "leave") throw new RepriseError("damaged", why ?? "it cannot be copied");
      total += copySession(from, into, session).sizeBytes;
      copied.push(one);
      sessions.push(session.session);
      onCopied?.(session.sizeBytes);
    } catch (error) {
      if (!isOfOneSession(error)) throw error;
      left.push({ ...one, why: error.message });
    }
  }
  return { copied, left, sessions, sizeBytes: total };
}
