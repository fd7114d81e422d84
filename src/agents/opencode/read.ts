import { isRepriseError } from "../../base/errors.ts";
import { checkReadable } from "../../base/open-file.ts";
import type { Damage } from "../../model/damage.ts";
import { Batches } from "../batches.ts";
import type { ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { toldUnread } from "../session-file.ts";
import { isFileRef } from "./locate.ts";
import { DatabaseSource } from "./read/database-source.ts";
import { FileSource } from "./read/file-source.ts";
import { beginning, openSession } from "./read/open-session.ts";
import { beginOfLast } from "./read/read-last.ts";
import { beginAfter } from "./read/read-on.ts";
import { readSession } from "./read/read-session.ts";
import type { Source } from "./read/source.ts";

/** A session's events in native order: what the program would replay, or with `allBranches` everything. */
export function read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  return toldUnread(isFileRef(ref) ? readFiles(ref, options) : readDatabase(ref, options), options);
}

function* readFiles(ref: SessionRef, options: ReadOptions): Generator<ReadBatch> {
  const source = new FileSource(ref.path);
  // Messages lie in files of their own: only without any is there nothing but the session's file to read.
  if (source.count === 0) checkReadable(ref.path);
  yield* readFrom(source, { ref, options, restart: false });
}

/** How a database is read: as the program does, else table by table, else page by page. */
const ways = ["index", "table", "page"] as const;

/**
 * A database that turns out damaged on the way is read again from the beginning, row by row around the damage
 * (P2); the first batch of that says `restart`.
 */
function* readDatabase(ref: SessionRef, options: ReadOptions): Generator<ReadBatch> {
  checkReadable(ref.path);
  const session = ref.part ?? ref.session;
  let restart = false;
  let failures: readonly Damage[] = [];
  for (const way of ways) {
    let source: Source | undefined;
    try {
      const [salvage, rebuilt] = [way === "table", way === "page"];
      source = new DatabaseSource(ref.path, { session, salvage, rebuilt });
      // Also where every row is found in the end: the program itself would fail here.
      const told = { ref, options, restart, failures, isSalvage: way !== "index" };
      for (const batch of readFrom(source, told)) {
        restart = true;
        yield batch;
      }
      return;
    } catch (error) {
      if (isRepriseError(error, "no_sqlite") || isRepriseError(error, "not_found")) throw error;
      const detail = error instanceof Error ? error.message : String(error);
      failures = [...failures.slice(-1), { kind: "database", offset: 0, recovered: 0, detail }];
    } finally {
      source?.close();
    }
  }
  const cursor = restart ? "" : (options.from ?? "");
  yield { events: [], damage: failures, cursor, ...(restart && { restart }) };
}

/** Reads what is asked for of a source: what came after a cursor, the last events, or all. */
function* readFrom(
  source: Source,
  work: {
    readonly ref: SessionRef;
    readonly options: ReadOptions;
    readonly restart: boolean;
    readonly failures?: readonly Damage[];
    /** Rows have other places than the program would find them at: no cursor holds. */
    readonly isSalvage?: boolean;
  },
): Generator<ReadBatch> {
  const { from, last } = work.options;
  const session = openSession(source, work.ref, work.options);
  const goesOn = from === undefined || work.isSalvage ? undefined : beginAfter(from, session);
  const isLost = from !== undefined && goesOn === undefined;
  const batches = new Batches({ restart: work.restart || isLost });
  const { failures = [] } = work;
  for (const damage of [...failures.slice(-1), ...source.damage]) batches.damage(damage);
  const wantsLast = last !== undefined && from === undefined;
  const begin = goesOn ?? (wantsLast ? beginOfLast(last, session) : beginning(session));
  yield* readSession(session, begin, batches);
}
