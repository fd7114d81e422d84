import { randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Running } from "../additions/running.ts";
import type { Belongings, RowChoice } from "../agents/belongings-contract.ts";
import { type FoundSession, findSessions } from "../agents/find-sessions.ts";
import { atomicWrite } from "../base/atomic-write.ts";
import { disk, exists } from "../base/disk.ts";
import { makeDurableDirectory } from "../base/durable-directory.ts";
import type { Environment } from "../base/env.ts";
import { RepriseError } from "../base/errors.ts";
import { failpoint } from "../base/failpoint.ts";
import { fileStat } from "../base/folders.ts";
import { asString, type JsonObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { record } from "../log/journal.ts";
import type { EventId } from "../model/event.ts";
import { isBelow } from "../store/bring-back.ts";
import { type Home, userHome } from "../store/home.ts";
import { concludeIntention, intend, registerSettling } from "../store/intention.ts";
import { registerUndo } from "../store/undo.ts";
import {
  below,
  type KeptFile,
  type KeptFolder,
  keepFile,
  refuseAnother,
  removeFolders,
  removeKept,
  restoreFile,
  restoreFolders,
} from "./kept-files.ts";
import { cutPiece, isPieceBack, type KeptPiece, keepPiece, putBack } from "./kept-pieces.ts";
import { countRows, putRowsBack, takeRows } from "./kept-rows.ts";
import { writerOf } from "./writers.ts";

/** What deleting a session would take away. */
export interface DeletionPlan {
  readonly session: FoundSession;
  readonly files: readonly string[];
  readonly folders: readonly KeptFolder[];
  readonly pieces: NonNullable<Belongings["pieces"]>;
  readonly rows: readonly RowChoice[];
  readonly sizeBytes: number;
  readonly rowCount: number;
}

/** A session that was deleted, and the entry of the journal that brings it back. */
export interface Deleted {
  readonly entry: EventId;
  /** What other entries name that belong to this one and are undone with it. */
  readonly intention: EventId;
  /** Where its copy lies. */
  readonly copy: string;
}

/** All that is needed to bring a session back. */
interface Manifest {
  readonly files: readonly KeptFile[];
  readonly folders: readonly KeptFolder[];
  readonly pieces: readonly KeptPiece[];
  readonly databases: readonly { readonly path: string; readonly copy: string }[];
}

const kind = "delete";
const manifestName = "manifest.json";

/** A session that changed so lately may be being written, where nothing else says. */
const quietMs = 10_000;

/** What deleting a session of another agent would take away; `unsupported` where it is not known what belongs to it. */
export async function planDeletion(session: FoundSession, env: Environment): Promise<DeletionPlan> {
  const { agent, ref } = session;
  const belongings = await agent.belongings?.(ref, env);
  if (belongings === undefined) {
    throw new RepriseError(
      "unsupported",
      `Sessions of ${agent.title} cannot be deleted from here.`,
      {
        hint: `Its file is ${ref.path}.`,
      },
    );
  }
  const { files = [], pieces = [], rows = [] } = belongings;
  const inFolders = (belongings.folders ?? []).filter(exists).map(below);
  const all = new Set([...files, ...inFolders.flatMap((folder) => folder.files)]);
  const present = [...all].filter(exists);
  const sizes = [
    ...present.map((path) => fileStat(path)?.sizeBytes ?? 0),
    ...pieces.map((piece) => piece.sizeBytes),
  ];
  const there = rows.filter(({ database }) => exists(database));
  let rowCount = 0;
  for (const choices of byDatabase(there).values()) rowCount += await countRows(choices);
  return {
    session,
    files: present,
    folders: inFolders.flatMap(({ folders }) => folders),
    pieces,
    rows: there,
    sizeBytes: sizes.reduce((sum, size) => sum + size, 0),
    rowCount,
  };
}

/** Refuses with `session_busy` while the session's agent may be writing it. */
export function refuseWhileWritten(
  plan: DeletionPlan,
  { env, nowMs }: { readonly env: Environment; readonly nowMs: number },
): void {
  const { agent, head, ref } = plan.session;
  const databases = plan.rows.map(({ database }) => database);
  const files = [...plan.files, ...plan.pieces.map(({ path }) => path), ...databases];
  const modifiedMs = Math.max(
    ref.modifiedMs,
    ...plan.files.map((path) => fileStat(path)?.modifiedMs ?? 0),
  );
  const isNewest = (): boolean => newestBeside(plan.session, env)?.head.session === head.session;
  const writer = writerOf({ files, program: agent.program, head, modifiedMs, isNewest });
  const hint = `Quit ${agent.title}, then delete the session again.`;
  if (writer !== undefined) {
    throw new RepriseError(
      "session_busy",
      `${agent.title} may be writing this session: process ${writer.pid} ${writer.why}.`,
      { hint, details: { pid: writer.pid } },
    );
  }
  if (process.platform === "linux" || nowMs - modifiedMs > quietMs) return;
  throw new RepriseError(
    "session_busy",
    "This session changed a moment ago; its agent may be writing it.",
    { hint },
  );
}

/** The newest session of the same agent in the same project. */
function newestBeside({ agent, head }: FoundSession, env: Environment): FoundSession | undefined {
  const here = head.cwd;
  return findSessions(
    { agents: [agent], env },
    { agent: agent.name, ...(here !== undefined && { here }) },
  )[0];
}

/**
 * Deletes a session: copies of all of it first, durable and compressed; then what will go is written down in the journal;
 * then it goes. Where a step fails, what is gone by then is brought back.
 */
export async function deleteSession(
  plan: DeletionPlan,
  env: Environment,
  /** What else the entry of the journal says, such as what it belongs to. */
  more: JsonObject = {},
): Promise<Deleted> {
  const home = userHome(env);
  refuseWhileWritten(plan, { env, nowMs: Date.now() });
  const { agent, head } = plan.session;
  const copy = join(
    home.deleted,
    `${new Date().toISOString().slice(0, 10)}-${randomBytes(6).toString("hex")}`,
  );
  makeDurableDirectory(copy, disk);
  const running = new Running(home.running);
  running.beginDurably();
  let intention: EventId | undefined;
  try {
    const manifest = await keep(plan, copy);
    atomicWrite(join(copy, manifestName), JSON.stringify(manifest));
    const files = manifest.files.slice(0, limits.journalFiles).map(({ path }) => path);
    const about = { ...more, agent: agent.name, session: head.session, copy, files };
    refuseWhileWritten(plan, { env, nowMs: Date.now() });
    intention = intend(home, kind, about);
    failpoint("delete.intended");
    await remove(manifest, plan);
    failpoint("delete.removed");
    const entry = record(home.journal, kind, { ...about, title: head.title ?? "", intention });
    return { entry, intention, copy };
  } catch (error) {
    if (intention === undefined) rmSync(copy, { recursive: true, force: true });
    else {
      await restore(home, { copy });
      concludeIntention(home, intention, "it failed and was brought back");
    }
    throw error;
  } finally {
    running.end();
  }
}

async function keep(plan: DeletionPlan, copy: string): Promise<Manifest> {
  const files: KeptFile[] = [];
  for (const [at, path] of plan.files.entries()) {
    const kept = await keepFile(path, join(copy, `file-${at}.gz`));
    if (kept !== undefined) files.push(kept);
  }
  const pieces = plan.pieces.map((piece, at) => keepPiece(piece, copy, `piece-${at}`));
  const databases: { path: string; copy: string }[] = [];
  for (const [path, choices] of byDatabase(plan.rows)) {
    const name = `rows-${databases.length}.jsonl`;
    await takeRows(choices, { file: join(copy, name), remove: false });
    databases.push({ path, copy: name });
  }
  return { files, folders: plan.folders, pieces, databases };
}

async function remove(manifest: Manifest, plan: DeletionPlan): Promise<void> {
  for (const choices of byDatabase(plan.rows).values())
    await takeRows(choices, { file: "", remove: true });
  for (const piece of manifest.pieces) cutPiece(piece);
  for (const file of manifest.files) {
    removeKept(file);
    failpoint("delete.half-removed");
  }
  removeFolders(manifest.folders);
}

function byDatabase(rows: readonly RowChoice[]): ReadonlyMap<string, readonly RowChoice[]> {
  const groups = new Map<string, RowChoice[]>();
  for (const row of rows) groups.set(row.database, [...(groups.get(row.database) ?? []), row]);
  return groups;
}

/** Lets `undo` bring deleted sessions back, and later commands what a killed deletion took. */
export function registerDeletions(): void {
  registerUndo(kind, async (home, data) => restore(home, data));
  registerSettling(kind, async (home, { id, data }) => {
    await restore(home, data);
    failpoint("settle.taken-back");
    concludeIntention(home, id, "brought back");
    return `Deleting ${String(data["agent"])}:${String(data["session"])} was killed before it was done; it was brought back.`;
  });
}

/** Puts everything back that is gone, all of it or nothing; what is there already is passed over. */
async function restore(home: Home, data: JsonObject): Promise<string> {
  const copy = asString(data["copy"]) ?? "";
  if (!isBelow(home.deleted, copy)) {
    throw new RepriseError("bad_input", "The entry names no copy of this store.");
  }
  const manifest = manifestIn(copy);
  for (const file of manifest.files) refuseAnother(file);
  for (const piece of manifest.pieces) isPieceBack(piece);
  for (const { path, copy: rows } of manifest.databases) await putRowsBack(path, join(copy, rows));
  await restoreFolders(manifest.folders);
  for (const file of manifest.files) await restoreFile(file, copy);
  for (const piece of manifest.pieces) putBack(piece, copy);
  // Of several that were deleted in one go each is named; one alone is named by the entry.
  const isAlone = data["of"] === undefined && data["chosen"] === undefined;
  return isAlone
    ? "it is back"
    : `brought ${String(data["agent"])}:${String(data["session"])} back`;
}

function manifestIn(copy: string): Manifest {
  try {
    return JSON.parse(readFileSync(join(copy, manifestName), "utf8")) as Manifest;
  } catch (cause) {
    throw new RepriseError("not_found", "No copy of the session is left.", { cause });
  }
}
