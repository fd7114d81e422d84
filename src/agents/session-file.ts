import { closeSync, fstatSync } from "node:fs";
import { isRepriseError, RepriseError } from "../base/errors.ts";
import { checkReadable, openAtOnce, openForReading } from "../base/open-file.ts";
import { isOfSystem, systemError, whyRefused } from "../base/system-error.ts";
import type { Damage } from "../model/damage.ts";
import type { SessionHead } from "../model/head.ts";
import { type Opening, opened } from "../model/opening.ts";
import type { Cursor, ReadBatch, ReadOptions, SessionRef } from "./contract.ts";

/*
 * How every reader answers for the file a session lies in, whichever the agent:
 *
 *                               read                    head               opening
 *   it is not there             damage `missing_file`   undefined          undefined
 *   it is, and cannot be read   damage `unreadable`     with a `problem`   the id alone
 *   it takes too much to read   damage `too_large`      as it is           as it is
 *
 * It cannot be read where permission is denied, links lead in a circle, a folder or a pipe has its name, or the
 * disk does not answer. Nothing waits for a pipe, and nothing throws what the system said.
 */

/** The batches that `read` makes of a session's open file, which is closed again. */
export function readFile(
  ref: SessionRef,
  options: ReadOptions,
  read: (fd: number) => Iterable<ReadBatch>,
): AsyncGenerator<ReadBatch> {
  function* batches(): Generator<ReadBatch> {
    const fd = openForReading(ref.path);
    try {
      yield* read(fd);
    } finally {
      closeSync(fd);
    }
  }
  return toldUnread(batches(), options);
}

/** The batches of a reader; where the file cannot be read, or no further, the last one says why. */
export async function* toldUnread(
  batches: Iterable<ReadBatch> | AsyncIterable<ReadBatch>,
  { from }: ReadOptions,
): AsyncGenerator<ReadBatch> {
  let cursor: Cursor = from ?? "";
  try {
    for await (const batch of batches) {
      cursor = batch.cursor;
      yield batch;
    }
  } catch (error) {
    if (!isOfFile(error)) throw error;
    const { kind, why } = problemOf(error);
    yield { events: [], damage: [{ kind, offset: 0, recovered: 0, detail: why }], cursor };
  }
}

/** Throws the reason where damage says that a session's file cannot be read: for who can do nothing without it. */
export function throwIfUnread({ path }: SessionRef, damage: readonly Damage[]): void {
  const large = damage.find(({ kind }) => kind === "too_large");
  if (large !== undefined)
    throw new RepriseError("too_large", large.detail ?? `${path} is too large.`);
  const isUnread = damage.some(({ kind }) => kind === "unreadable" || kind === "missing_file");
  if (isUnread) checkReadable(path);
}

/** The head that `read` makes of a session's open file, which is closed again. */
export function headOfFile(
  ref: SessionRef,
  read: (fd: number) => SessionHead | undefined,
): SessionHead | undefined {
  return fromFile(ref.path, read, (error) => unreadHead(ref, error));
}

/** The opening, likewise. */
export function openingOfFile(
  ref: SessionRef,
  read: (fd: number) => Opening | undefined,
): Opening | undefined {
  return fromFile(ref.path, read, (error) =>
    problemOf(error).kind === "missing_file" ? undefined : opened(ref.session),
  );
}

/** The head of a session that cannot be read: its place and the reason; undefined where nothing is there. */
export function unreadHead(ref: SessionRef, error: unknown): SessionHead | undefined {
  const { kind, why } = problemOf(error);
  if (kind === "missing_file") return undefined;
  const { agent, session, path, sizeBytes, modifiedMs } = ref;
  const updatedAt = new Date(Number.isFinite(modifiedMs) ? modifiedMs : 0).toISOString();
  return { agent, session, path, sizeBytes, updatedAt, state: "unknown", problem: why };
}

function fromFile<T>(
  path: string,
  read: (fd: number) => T | undefined,
  unread: (error: unknown) => T | undefined,
): T | undefined {
  try {
    const fd = openAtOnce(path);
    try {
      const told = read(fd);
      // Asked only where nothing was found: a list reads thousands, and nearly all of them are files.
      if (told !== undefined || fstatSync(fd).isFile()) return told;
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    return unread(error);
  }
  return unread(new RepriseError("not_a_file", `${path} is not a regular file.`));
}

type Unread = Extract<Damage["kind"], "missing_file" | "unreadable" | "too_large">;

const ofFile: ReadonlyMap<string, Unread> = new Map([
  ["not_found", "missing_file"],
  ["no_permission", "unreadable"],
  ["not_a_file", "unreadable"],
  ["too_large", "too_large"],
]);

/** Whether an error says that the file could not be read, raw or in our words. */
function isOfFile(error: unknown): boolean {
  if (!isRepriseError(error)) return isOfSystem(error);
  return ofFile.has(error.code) || isOfSystem(error.cause);
}

function problemOf(error: unknown): { readonly kind: Unread; readonly why: string } {
  const known = isRepriseError(error)
    ? error
    : systemError(error, `The file cannot be read: ${whyRefused(error)}.`);
  // Not the file's fault: what is missing is said, and how to get it.
  const why = known.code === "no_sqlite" ? `${known.message} ${known.hint}` : known.message;
  return { kind: ofFile.get(known.code) ?? "unreadable", why };
}
