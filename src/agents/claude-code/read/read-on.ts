import { readSync } from "node:fs";
import { newline } from "../../../jsonl/line.ts";
import type { ReadBatch, ReadOptions } from "../../contract.ts";
import { batches } from "./batches.ts";
import { buildIndex } from "./build-index.ts";
import { type CursorState, decodeCursor } from "./cursor.ts";
import { isSameFile } from "./end-cursor.ts";
import { type LivePath, livePath } from "./live-path.ts";
import { type OpenFile, type OpenSession, openSession } from "./open-session.ts";
import { readWhole } from "./read-whole.ts";
import { flag } from "./record-flags.ts";
import { idOf, type RecordIndex } from "./record-index.ts";
import { RecordReader } from "./record-reader.ts";
import { walkAll, walkLive } from "./walk.ts";

/** What a rewind writes in place of a leaf. */
const noLeaf = "00000000-0000-0000-0000-000000000000";

/** Goes on from a cursor, or begins anew where the file or its live path is not what it was. */
export function* readOn(
  file: OpenFile,
  cursor: string,
  options: ReadOptions,
): Generator<ReadBatch> {
  const state = decodeCursor(cursor);
  const on =
    state !== undefined && isSameFile(file.fd, state)
      ? openAppended(file, state, options)
      : undefined;
  if (on === undefined) {
    yield* readWhole(file, options, { restart: true });
    return;
  }
  const { session, from } = on;
  const steps = options.allBranches ? walkAll(session, from) : walkLive(session);
  yield* batches(session, { steps, options, restart: false });
}

/**
 * Opens what was appended since a cursor. Undefined where the live path left the branch it was on, so
 * that what was read before no longer holds.
 */
function openAppended(
  file: OpenFile,
  cursor: CursorState,
  options: ReadOptions,
): { readonly session: OpenSession; readonly from: { offset: number; line: number } } | undefined {
  const { fd } = file;
  const { line } = cursor;
  // The newline of a line that had none belongs to that line.
  const offset =
    cursor.open && byteAt(fd, cursor.offset) === newline ? cursor.offset + 1 : cursor.offset;
  const index = buildIndex(fd, { from: offset, line });
  const path = livePath(index, { reader: new RecordReader(fd, index), partial: true });
  const stays = path.leaf < 0 ? !namesAnother(index, cursor) : goesOn(path, cursor);
  if (!stays) return undefined;
  const session = openSession(
    { ...file, index },
    { read: options, partial: true, earlier: cursor, path: joinedPath(index, path, cursor) },
  );
  return { session, from: { offset, line } };
}

/** Whether the path goes on from the old leaf, or from a call or result that stands beside it. */
function goesOn(path: LivePath, cursor: CursorState): boolean {
  if (cursor.leaf === undefined) return true;
  if (path.beyond === undefined) return false;
  const beside = cursor.mixed ? [] : (cursor.family ?? []);
  return knownIds([cursor.leaf, ...beside]).has(path.beyond);
}

/** Whether a `last-prompt` names a leaf that is not the one we know. */
function namesAnother(index: RecordIndex, cursor: CursorState): boolean {
  if (index.named === undefined) return false;
  const known = [
    noLeaf,
    ...(cursor.leaf === undefined ? [] : [cursor.leaf]),
    ...(cursor.family ?? []),
  ];
  return !knownIds(known).has(index.named.leaf);
}

/** The new path with the parallel calls and results that hang on records read before. */
function joinedPath(index: RecordIndex, path: LivePath, cursor: CursorState): LivePath {
  const family = knownIds(cursor.family ?? []);
  const message = idOf(cursor.message);
  const on = new Set(path.order);
  const more: number[] = [];
  for (let record = 0; record < index.size && family.size > 0; record += 1) {
    if (on.has(record) || index.has(record, flag.sidechain)) continue;
    const group = index.groups[record]!;
    const part = group >= 0 && index.messages.idAt(group) === message;
    const parent = index.has(record, flag.results) ? index.missingParentOf(record) : undefined;
    if (part || (parent !== undefined && family.has(parent))) more.push(record);
  }
  if (more.length === 0) return path;
  return { ...path, order: Int32Array.from([...path.order, ...more]).sort() };
}

function knownIds(ids: readonly string[]): ReadonlySet<number | undefined> {
  return new Set(ids.map(idOf));
}

function byteAt(fd: number, offset: number): number | undefined {
  const byte = Buffer.alloc(1);
  return readSync(fd, byte, 0, 1, offset) === 1 ? byte[0] : undefined;
}
