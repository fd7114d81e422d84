import { readSync } from "node:fs";
import { newline } from "../../../jsonl/line.ts";
import type { ReadOptions, SessionRef } from "../../contract.ts";
import { buildIndex } from "./build-index.ts";
import type { Mark } from "./cursor.ts";
import { type LivePath, livePath } from "./live-path.ts";
import { type OpenSession, openSession } from "./open-session.ts";
import { flag } from "./record-flags.ts";
import { idOf, type RecordIndex } from "./record-index.ts";
import { RecordReader } from "./record-reader.ts";

/** What a rewind writes in place of a leaf. */
const noLeaf = "00000000-0000-0000-0000-000000000000";

/**
 * Opens what was appended since a mark. Undefined where the live path left the branch it was on, so
 * that what was read before no longer holds.
 */
export function goOn(
  file: { readonly fd: number; readonly ref: SessionRef },
  mark: Mark,
  options: ReadOptions,
): { readonly session: OpenSession; readonly from: { offset: number; line: number } } | undefined {
  const { fd } = file;
  const { line } = mark;
  // The newline of a line that had none belongs to that line.
  const offset = mark.open && byteAt(fd, mark.offset) === newline ? mark.offset + 1 : mark.offset;
  const index = buildIndex(fd, { from: offset, line });
  const path = livePath(index, { reader: new RecordReader(fd, index), partial: true });
  const stays = path.leaf < 0 ? !namesAnother(index, mark) : goesOn(path, mark);
  if (!stays) return undefined;
  const session = openSession(
    { ...file, index },
    { read: options, partial: true, earlier: mark, path: joinedPath(index, path, mark) },
  );
  return { session, from: { offset, line } };
}

/** Whether the path goes on from the old leaf, or from a call or result that stands beside it. */
function goesOn(path: LivePath, mark: Mark): boolean {
  if (mark.leaf === undefined) return true;
  if (path.beyond === undefined) return false;
  const beside = mark.mixed ? [] : (mark.family ?? []);
  return knownIds([mark.leaf, ...beside]).has(path.beyond);
}

/** Whether a `last-prompt` names a leaf that is not the one we know. */
function namesAnother(index: RecordIndex, mark: Mark): boolean {
  if (index.named === undefined) return false;
  const known = [noLeaf, ...(mark.leaf === undefined ? [] : [mark.leaf]), ...(mark.family ?? [])];
  return !knownIds(known).has(index.named.leaf);
}

/** The new path with the parallel calls and results that hang on records read before. */
function joinedPath(index: RecordIndex, path: LivePath, mark: Mark): LivePath {
  const family = knownIds(mark.family ?? []);
  const message = idOf(mark.message);
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
