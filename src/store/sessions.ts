import { existsSync, lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Environment, processEnvironment } from "../base/env.ts";
import { isRepriseError, RepriseError } from "../base/errors.ts";
import { failpoint } from "../base/failpoint.ts";
import { limits } from "../base/limits.ts";
import { refuseNetworkFs } from "../base/network-fs.ts";
import { sweepLeases } from "../base/store-leases.ts";
import { type Secret, secretFrom } from "../log/seal.ts";
import type { EventId, ProjectIdentity, SessionEvent, SessionStart } from "../model/event.ts";
import type { SyncSessions } from "./contract.ts";
import { draftOf } from "./draft.ts";
import { FileLog, type FileLogOptions } from "./file-log.ts";
import { forkStartOf } from "./fork-start.ts";
import { readHeadAndFacts } from "./head.ts";
import { fileNameOf, folderHome, type Home, userHome } from "./home.ts";
import { listHeads } from "./list.ts";
import { findSessionFile, refuseUsedId, sessionFilesIn, sessionFolders } from "./locate.ts";
import { baseAt, noSession } from "./log-store.ts";
import { eventsUpTo, memoryLog } from "./memory-log.ts";
import { identifyProject, projectFolderName, realPathOf, sameProject } from "./project.ts";
import { prune } from "./prune.ts";
import { recentOf } from "./recent.ts";
import { continuedIn, type Rotation } from "./rotation.ts";
import type { SessionLog } from "./session-log.ts";
import type { CreateOptions, OpenOptions } from "./session-options.ts";
import { startOf } from "./start.ts";
import { makeStoreFolder } from "./store-folder.ts";

/** The store a call means: the given folder, else the user's. */
export function homeFor(dir: string | undefined, options: OpenOptions): Home {
  return dir === undefined ? userHome(environmentOf(options)) : folderHome(resolve(dir));
}

/** Sessions that a caller's own store keeps; undefined if the caller names none. */
function storeOf(dir: string | undefined, options: CreateOptions): SyncSessions | undefined {
  const { store } = options;
  if (store === undefined) return undefined;
  if (dir !== undefined || options.persistence !== undefined || options.seal !== undefined) {
    throw storeAndFolder();
  }
  if (store.sync !== undefined) return store.sync;
  throw new RepriseError("unsupported", "This store does not answer at once.", {
    hint: "Use AsyncSessionManager: it has the same methods, each of them awaited.",
  });
}

/** The error for a call that names both a store and a place for files. */
export function storeAndFolder(): RepriseError {
  return new RepriseError("bad_input", "A store says itself where and how it keeps sessions.", {
    hint: "Leave out `store`, or else `dir`, `persistence` and `seal`.",
  });
}

/** Makes the log of a new session. */
export function createLog(
  cwd: string,
  dir: string | undefined,
  options: CreateOptions,
): SessionLog {
  const store = storeOf(dir, options);
  const start = startOf(cwd, options, environmentOf(options));
  if (store !== undefined) return store.create(start);
  if (options.persistence === "none") return memoryLog(start);
  const home = opened(homeFor(dir, options), options);
  const folder = home.flat ? home.sessions : projectFolder(home, start.project!);
  const secret = options.seal ? secretOf(options) : undefined;
  if (options.seal && secret === undefined) {
    throw new RepriseError("sealed", "A sealed session needs a key.");
  }
  return createFile(home, folder, { start, options, secret });
}

/** The log of the newest session of a project, if it has one; never one that continues in another. */
export function recentLog(
  cwd: string,
  dir: string | undefined,
  options: CreateOptions,
): SessionLog | undefined {
  const store = storeOf(dir, options);
  if (store !== undefined) {
    const head = recentOf([...store.heads({ cwd })]);
    return head === undefined ? undefined : store.open(head.session);
  }
  const home = opened(homeFor(dir, options), options);
  const project = dir === undefined ? identifyProject(cwd).identity : undefined;
  const heads = listHeads(home, { project, cache: true });
  const head = recentOf(heads, { sealed: options.seal === true });
  return head === undefined ? undefined : openFile(home, head.path, options);
}

/** Opens a session by file or id. */
export function openLog(
  fileOrId: string,
  options: OpenOptions & { readonly dir?: string },
): SessionLog {
  const store = storeOf(options.dir, options);
  if (store !== undefined) return store.open(fileOrId);
  if (fileOrId.includes("/") || fileOrId.includes("\\") || fileOrId.endsWith(".jsonl")) {
    const file = resolve(fileOrId);
    return openFile(homeOfFile(file, options), file, options);
  }
  const home = opened(homeFor(options.dir, options), options);
  const file = findSessionFile(home, fileOrId);
  if (file === undefined) throw noSession(fileOrId);
  return openFile(home, file, options);
}

/** Makes a session that stands on another up to an event. */
export function forkLog(
  base: SessionLog,
  at: EventId | undefined,
  options: CreateOptions,
): SessionLog {
  const forkedAt = baseAt(base, at);
  const { seal } = base.start;
  const start: SessionStart = {
    ...forkStartOf({ start: base.start, meta: base.meta() }, options),
    base: forkedAt,
    // One key for the whole lineage: what is read in the base is opened with it too.
    ...(seal !== undefined && { seal }),
  };
  failpoint("fork.before-publish");
  const fork = createBeside(base, start, options);
  failpoint("fork.after-publish");
  return fork;
}

/** Ends a session and makes the one that goes on from a summary of it. */
export function rotateLog(
  old: SessionLog,
  { after, end, next, begun }: Rotation,
  options: OpenOptions,
): { readonly log: SessionLog; readonly events: readonly SessionEvent[] } {
  const ended = old.appendSync([draftOf(end)], { after });
  const log = createBeside(old, next, options);
  return { log, events: [...ended, ...log.appendSync(begun.map(draftOf))] };
}

/** The session that a rotated one continues in, opened; undefined if it was not rotated, or that one is gone. */
export function continuationOf(old: SessionLog, options: OpenOptions): SessionLog | undefined {
  for (const step of old.path()) {
    const next = step.kind === "damage" ? undefined : continuedIn(step.event);
    if (next === undefined) continue;
    return next === false ? undefined : openBeside(old, next, options);
  }
  return undefined;
}

/** Makes a session where another one lies. */
function createBeside(log: SessionLog, start: SessionStart, options: CreateOptions): SessionLog {
  if (options.store?.sync !== undefined) return options.store.sync.create(start);
  if (log.file === undefined) {
    const shared = start.base === undefined ? [] : eventsUpTo(log, start.base.event);
    return memoryLog(start, shared);
  }
  const isSealed = log.start.seal !== undefined;
  const secret = isSealed ? secretOf(options) : undefined;
  if (isSealed && secret === undefined) {
    throw new RepriseError("sealed", `Session ${log.session} is sealed.`);
  }
  const home = homeOfFile(log.file, options);
  return createFile(home, dirname(log.file), { start, options, secret });
}

/** Opens a session that lies where another one does; undefined if it is not there. */
function openBeside(
  log: SessionLog,
  session: string,
  options: OpenOptions,
): SessionLog | undefined {
  if (options.store?.sync !== undefined) {
    try {
      return options.store.sync.open(session);
    } catch (error) {
      if (isRepriseError(error, "not_found")) return undefined;
      throw error;
    }
  }
  if (log.file === undefined) return undefined;
  const home = homeOfFile(log.file, options);
  const file = findSessionFile(home, session, { near: log.file });
  return file === undefined ? undefined : openFile(home, file, options);
}

function createFile(
  home: Home,
  folder: string,
  made: {
    readonly start: SessionStart;
    readonly options: CreateOptions;
    readonly secret: Secret | undefined;
  },
): SessionLog {
  const { start, options, secret } = made;
  if (options.id !== undefined || options.key !== undefined)
    refuseUsedId(home, folder, start.session);
  const file = join(folder, fileNameOf(start.session));
  makeStoreFolder(home);
  return FileLog.create(home, file, start, logOptions(options, secret));
}

/**
 * The home a session file belongs to: the user's where it lies in it, else the folder's own. Real paths
 * decide, because two homes for one file would mean two leases.
 */
function homeOfFile(file: string, options: OpenOptions): Home {
  const user = userHome(environmentOf(options));
  const folder = realPathOf(dirname(file));
  const inUserHome =
    dirname(folder) === realPathOf(user.sessions) || folder === realPathOf(user.bases);
  return opened(inUserHome ? user : folderHome(dirname(file)), options);
}

function openFile(home: Home, file: string, options: OpenOptions): SessionLog {
  return FileLog.open(home, file, logOptions(options, secretOf(options)));
}

/** The folder of a project: one that any recorded alias leads to, else a new one. */
export function projectFolder(home: Home, identity: ProjectIdentity): string {
  const named = join(home.sessions, projectFolderName(identity));
  const stat = lstatSync(named, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return named;
  // Listings do not follow it: what was written there would be out of the store, and out of sight.
  if (stat !== undefined) {
    throw new RepriseError("not_a_file", `${named} is not a folder of its own.`, {
      hint: "Links are not followed inside a store; link the whole store instead.",
    });
  }
  return sessionFolders(home).find((folder) => holdsProject(folder, identity)) ?? named;
}

function holdsProject(folder: string, identity: ProjectIdentity): boolean {
  const path = sessionFilesIn(folder)[0];
  if (path === undefined) return false;
  const { project } = readHeadAndFacts(path).head;
  return project !== undefined && sameProject(project, identity);
}

/** Looks at a store before it is used: the file system, what dead processes left, and the caller's retention. */
function opened(home: Home, options: OpenOptions): Home {
  if (!options.allowNetworkFs && existsSync(home.sessions)) refuseNetworkFs(home.sessions);
  sweepLeases(home.leases, limits.sweptFolders);
  if (options.retention !== undefined) prune(home, options.retention);
  return home;
}

function logOptions(options: OpenOptions, secret: Secret | undefined): FileLogOptions {
  const { sync, waitMs, leasePerAppend, leaseStaleMs, leaseIdleMs } = options;
  const { exclusive, maxOpenFiles } = options;
  const times = { waitMs, leasePerAppend, leaseStaleMs, leaseIdleMs, exclusive };
  return { sync, ...times, maxOpenFiles, secret };
}

function secretOf(options: OpenOptions): Secret | undefined {
  return options.secret ?? secretFrom(environmentOf(options).variables);
}

function environmentOf(options: OpenOptions): Environment {
  return options.env ?? processEnvironment();
}
