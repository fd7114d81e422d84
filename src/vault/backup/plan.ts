import { lstatSync, realpathSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { type FilePrint, sha256Of } from "../../additions/added-file.ts";
import { missingFolders } from "../../additions/made-folders.ts";
import type { FoundSession, Search } from "../../agents/find-sessions.ts";
import { exists } from "../../base/disk.ts";
import type { Environment } from "../../base/env.ts";
import type { JsonObject } from "../../base/json.ts";
import { type CopiedBytes, type Copy, copiesOf } from "../../store/copies.ts";
import { type PlannedCopy, planCopy } from "../../store/copy/copy.ts";
import { FileSessions } from "../../store/copy/file-sessions.ts";
import { userHome } from "../../store/home.ts";
import { markOf, marksOf } from "../../store/marks.ts";
import { ownAgent } from "../../store/own-agent.ts";
import { type CarriedFile, carriedOf } from "./carry.ts";
import { homeIn, type ListedFile, type ListedMarks, readListing } from "./listing.ts";
import { isSubagent } from "./tally.ts";

/** A file that will be added, and what it will be. */
export interface PlannedFile extends CarriedFile {
  readonly print: FilePrint;
  readonly modifiedMs: number;
}

/** What becomes of a session of a backup: its files are added, all of them are here, or it is left for a reason. */
export interface PlannedSession {
  readonly agent: string;
  readonly session: string;
  readonly action: "add" | "same" | "leave";
  readonly why?: string;
  /** The files to add; a session that another started lists its files here, and is counted with that one. */
  readonly files: readonly PlannedFile[];
  readonly isSubagent: boolean;
}

/** What restoring a backup would do; nothing was changed. */
export interface RestorePlan {
  readonly backup: string;
  readonly createdAt: string;
  /** Its folder that is laid out like a home. */
  readonly from: Environment;
  readonly sessions: readonly PlannedSession[];
  readonly own: readonly PlannedCopy[];
  /** Marks of sessions that have none here. */
  readonly marks: readonly ListedMarks[];
  /** What sessions are copies of, which nothing here says yet; their files are named as they will lie here. */
  readonly copies: readonly Copy[];
  readonly settings: JsonObject;
}

/** How a plan is made. */
export interface PlanOptions {
  /** So many more bytes were compared. */
  readonly onRead?: (bytes: number) => void;
}

/**
 * Says what restoring a backup would add. The list of the backup is trusted for sums alone: a file is restored only if an
 * agent finds it in the backup to belong to a session, so that no list can name another place.
 */
export async function planRestore(
  backup: string,
  search: Search,
  options: PlanOptions = {},
): Promise<RestorePlan> {
  const { createdAt, platform, files, marks, copies, settings } = readListing(backup);
  const from = homeIn(backup, platform);
  const listed = new Map(files.map((file) => [file.path, file]));
  const places = new Map<string, string>();
  const sessions: PlannedSession[] = [];
  for (const session of sessionsAt(from, search)) {
    const carried = await carriedOf(session, { from, to: search.env });
    const fresh = carried.files.filter(({ from: path }) => !places.has(path));
    for (const file of fresh) places.set(file.from, file.to);
    if (fresh.length > 0) sessions.push(plannedOf(session, fresh, { from, listed, ...options }));
  }
  const here = userHome(search.env);
  const there = userHome(from);
  const known = marksOf(here);
  const copied = new Set(copiesOf(here).map(({ session }) => session));
  const placed = ({ path, sizeBytes }: CopiedBytes): readonly CopiedBytes[] => {
    const to = places.get(join(from.home, path));
    return to === undefined ? [] : [{ path: to, sizeBytes }];
  };
  return {
    backup,
    createdAt,
    from,
    sessions: [...sessions, ...missingOf(files, from)],
    own: planCopy(new FileSessions(there.root, there), new FileSessions(here.root, here)),
    marks: marks.filter((mark) => Object.keys(markOf(known, mark)).length === 0),
    copies: copies
      .filter(({ session }) => !copied.has(session))
      .map((copy) => ({ ...copy, files: copy.files.flatMap(placed) })),
    settings,
  };
}

/** The sessions of a backup, those that others started last. */
function sessionsAt(env: Environment, { agents }: Search): readonly FoundSession[] {
  const found = agents.flatMap((agent) => {
    if (agent.name === ownAgent || !agent.roots(env).some(exists)) return [];
    return [...agent.locate(env)].flatMap((ref) => {
      const head = agent.head(ref, env);
      return head === undefined ? [] : [{ agent, ref, head }];
    });
  });
  return [...found.filter((one) => !isSubagent(one)), ...found.filter(isSubagent)];
}

function plannedOf(
  found: FoundSession,
  files: readonly CarriedFile[],
  given: PlanOptions & {
    readonly from: Environment;
    readonly listed: ReadonlyMap<string, ListedFile>;
  },
): PlannedSession {
  const { agent, head } = found;
  const one = { agent: agent.name, session: head.session, isSubagent: isSubagent(found) };
  const leave = (why: string): PlannedSession => ({ ...one, action: "leave", why, files: [] });
  const added: PlannedFile[] = [];
  for (const file of files) {
    const listed = given.listed.get(relative(given.from.home, file.from).split(sep).join("/"));
    if (listed === undefined) return leave("the backup does not list it");
    if (!isSound(file.from, listed, given.from)) return leave("its copy is damaged");
    given.onRead?.(listed.sizeBytes);
    if (!exists(file.to)) added.push(plannedFile(file, listed));
    else if (!isSame(file.to, listed)) return leave("it is here with other content, which stays");
  }
  return { ...one, action: added.length === 0 ? "same" : "add", files: added };
}

function plannedFile(file: CarriedFile, listed: ListedFile): PlannedFile {
  const { sizeBytes, sha256, modifiedMs } = listed;
  const folders = missingFolders(resolve(file.to, ".."));
  return { ...file, modifiedMs, print: { path: file.to, sizeBytes, sha256, folders } };
}

/** Whether a copy has the listed bytes, and no link on the way leads out of the backup. */
function isSound(path: string, listed: ListedFile, { home }: Environment): boolean {
  const real = join(realpathSync(home), relative(home, path));
  return realpathSync(path) === real && isSame(path, listed);
}

function isSame(path: string, { sizeBytes, sha256 }: ListedFile): boolean {
  const stat = lstatSync(path);
  return stat.isFile() && stat.size === sizeBytes && sha256Of(path) === sha256;
}

/** Files that are listed and gone, as what could not be restored. */
function missingOf(files: readonly ListedFile[], { home }: Environment): readonly PlannedSession[] {
  return files
    .filter(({ path }) => !exists(join(home, path)))
    .map(({ path }) => ({
      agent: "backup",
      session: path,
      action: "leave",
      why: "its copy is missing",
      files: [],
      isSubagent: false,
    }));
}
