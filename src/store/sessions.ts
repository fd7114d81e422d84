import { existsSync, lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Environment, processEnvironment } from "../base/env.ts";
import { RepriseError } from "../base/errors.ts";
import { failpoint } from "../base/failpoint.ts";
import { uuidv7 } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import { refuseNetworkFs } from "../base/network-fs.ts";
import { sweepLeases } from "../base/store-leases.ts";
import { type Secret, secretFrom } from "../log/seal.ts";
import {
  type EventId,
  type ProjectIdentity,
  quietTypes,
  type SessionEvent,
  type SessionStart,
} from "../model/event.ts";
import { draftOf } from "./draft.ts";
import { FileLog, type FileLogOptions } from "./file-log.ts";
import { readHeadAndFacts } from "./head.ts";
import { fileNameOf, folderHome, type Home, userHome } from "./home.ts";
import { listHeads } from "./list.ts";
import { findSessionFile, refuseUsedId, sessionFilesIn, sessionFolders } from "./locate.ts";
import { memoryLog } from "./memory-log.ts";
import { identifyProject, projectFolderName, realPathOf, sameProject } from "./project.ts";
import { prune } from "./prune.ts";
import type { SessionLog } from "./session-log.ts";
import type { CreateOptions, OpenOptions } from "./session-options.ts";
import { startOf } from "./start.ts";

/** The store a call means: the given folder, else the user's. */
export function homeFor(dir: string | undefined, options: OpenOptions): Home {
  return dir === undefined ? userHome(environmentOf(options)) : folderHome(resolve(dir));
}

/** Makes the log of a new session. */
export function createLog(
  cwd: string,
  dir: string | undefined,
  options: CreateOptions,
): SessionLog {
  const start = startOf(cwd, options, environmentOf(options));
  if (options.persistence === "none") return memoryLog(start);
  const home = opened(homeFor(dir, options), options);
  const folder = home.flat ? home.sessions : projectFolder(home, start.project!);
  if (options.id !== undefined) refuseUsedId(home, folder, start.session);
  const secret = options.seal ? secretOf(options) : undefined;
  if (options.seal && secret === undefined) {
    throw new RepriseError("sealed", "A sealed session needs a key.");
  }
  return FileLog.create(
    home,
    join(folder, fileNameOf(start.session)),
    start,
    logOptions(options, secret),
  );
}

/** The log of the newest session of a project, if it has one; never one that goes on in another. */
export function recentLog(
  cwd: string,
  dir: string | undefined,
  options: CreateOptions,
): SessionLog | undefined {
  const home = opened(homeFor(dir, options), options);
  const project = dir === undefined ? identifyProject(cwd).identity : undefined;
  const heads = listHeads(home, { project, cache: true });
  const left = new Set(
    heads.map(({ relation }) => relation?.kind === "continues" && relation.session),
  );
  const head = heads.find(
    ({ problem, session, sealed }) =>
      problem === undefined && !left.has(session) && (options.seal !== true || sealed === true),
  );
  return head === undefined ? undefined : openFile(home, head.path, options);
}

/** Opens a session by file or id. */
export function openLog(
  fileOrId: string,
  options: OpenOptions & { readonly dir?: string },
): SessionLog {
  if (fileOrId.includes("/") || fileOrId.includes("\\") || fileOrId.endsWith(".jsonl")) {
    const file = resolve(fileOrId);
    return openFile(homeOfFile(file, options), file, options);
  }
  const home = opened(homeFor(options.dir, options), options);
  const file = findSessionFile(home, fileOrId);
  if (file === undefined) throw new RepriseError("not_found", `There is no session ${fileOrId}.`);
  return openFile(home, file, options);
}

/** Makes a session that stands on another up to an event. */
export function forkLog(
  base: SessionLog,
  at: EventId | undefined,
  options: CreateOptions,
): SessionLog {
  const forkedAt = base.forkBase(at);
  if (forkedAt === undefined) {
    throw new RepriseError("not_found", `There is no event ${at} in session ${base.session}.`);
  }
  const { title, tags } = base.meta();
  const inherited = {
    ...(title !== undefined && title !== null && { title }),
    ...(tags !== undefined && { tags }),
  };
  const cwd = base.start.cwd ?? process.cwd();
  const start: SessionStart = {
    ...startOf(
      cwd,
      { ...inherited, model: base.start.model, agent: base.start.agent, ...options },
      environmentOf(options),
    ),
    base: forkedAt,
    // One key for the whole lineage: what is read in the base is opened with it too.
    ...(base.start.seal !== undefined && { seal: base.start.seal }),
  };
  if (base.file === undefined) {
    return memoryLog(
      start,
      [...base.events()].filter(({ id }) => id <= forkedAt.event),
    );
  }
  const home = homeOfFile(base.file, options);
  const file = join(dirname(base.file), fileNameOf(start.session));
  if (options.id !== undefined) refuseUsedId(home, dirname(file), start.session);
  failpoint("fork.before-publish");
  const secret = base.start.seal === undefined ? undefined : secretOf(options);
  if (base.start.seal !== undefined && secret === undefined) {
    throw new RepriseError("sealed", `Session ${base.session} is sealed.`);
  }
  const fork = FileLog.create(home, file, start, logOptions(options, secret));
  failpoint("fork.after-publish");
  return fork;
}

/** What a rotation begins with. */
export interface Rotation {
  readonly summary: string;
  /** The last event the summary knows. */
  readonly after: EventId;
  /** The model in use. */
  readonly model?: string | undefined;
}

/**
 * Ends a session and makes the one that goes on from a summary of it. The old one says first where it goes
 * on, and only where nobody wrote to it in the meantime: so it has one continuation, and that is the newer one.
 */
export function rotateLog(
  old: SessionLog,
  { summary, after, model = old.start.model }: Rotation,
  options: OpenOptions,
): { readonly log: SessionLog; readonly events: readonly SessionEvent[] } {
  const { base: _base, seal, ...facts } = old.start;
  const { id: _id, parent: _parent, at: _at, sum: _sum, ...start } = facts;
  const { title, tags, pinned } = old.meta();
  const next: SessionStart = {
    ...start,
    session: uuidv7(),
    ...(title !== undefined && title !== null && { title }),
    ...(tags !== undefined && { tags }),
    ...(model !== undefined && { model }),
    continues: { session: old.session, event: after },
  };
  const end = { type: "session_end", reason: "rotated", rotatedTo: next.session } as const;
  const ended = old.appendSync([draftOf(end)], { after });
  const log =
    old.file === undefined
      ? memoryLog(next)
      : FileLog.create(
          homeOfFile(old.file, options),
          join(dirname(old.file), fileNameOf(next.session)),
          next,
          logOptions(options, seal === undefined ? undefined : secretOf(options)),
        );
  const begun = log.appendSync([
    draftOf({ type: "compaction", summary, strategy: "rotate" }),
    ...(pinned ? [draftOf({ type: "meta", pinned })] : []),
  ]);
  return { log, events: [...ended, ...begun] };
}

/** The session that a rotated one goes on in, opened; undefined where it was not rotated, or that one is gone. */
export function continuationOf(old: SessionLog, options: OpenOptions): SessionLog | undefined {
  if (old.file === undefined) return undefined;
  for (const step of old.path()) {
    if (step.kind === "damage" || quietTypes.has(step.event.type)) continue;
    const { event } = step;
    if (event.type !== "session_end" || event.rotatedTo === undefined) return undefined;
    const home = homeOfFile(old.file, options);
    const file = findSessionFile(home, event.rotatedTo, { near: old.file });
    return file === undefined ? undefined : openFile(home, file, options);
  }
  return undefined;
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
  return { sync, waitMs, leasePerAppend, leaseStaleMs, leaseIdleMs, secret };
}

function secretOf(options: OpenOptions): Secret | undefined {
  return options.secret ?? secretFrom(environmentOf(options).variables);
}

function environmentOf(options: OpenOptions): Environment {
  return options.env ?? processEnvironment();
}
