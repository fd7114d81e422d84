import { join } from "node:path";
import { type Disk, exists } from "../base/disk.ts";
import { makeDurableDirectory } from "../base/durable-directory.ts";
import { limits } from "../base/limits.ts";
import { readFully } from "../base/read-fully.ts";
import { newline } from "../jsonl/line.ts";
import type { EventId } from "../model/event.ts";
import { findEvent } from "./find.ts";
import { expectedSum, idOf, sumOf } from "./line.ts";
import { stripPath } from "./strip.ts";
import { examineTail } from "./tail.ts";
import { writeFailed } from "./write-once.ts";
import type { LogPlaces } from "./writer-options.ts";

interface Line {
  readonly id: EventId;
  readonly sum: string;
  readonly bytes: Buffer;
}

const lineEnd = Buffer.of(newline);

/** An open log. */
interface OpenLog {
  readonly session: string;
  readonly fd: number;
  /** What its first line follows. */
  readonly firstSum: string;
}

/**
 * Puts back what a strip holds and its log may have lost, makes the log durable and removes the strip; only who holds
 * the lease may. False where no strip was left. Lines go where they were, byte for byte, so every step may be repeated.
 */
export function refillFromStrip(places: LogPlaces, log: OpenLog, disk: Disk): boolean {
  const path = stripPath(places.strips, log.session);
  if (!exists(path)) return false;
  try {
    const lines = linesOf(contentOf(path, disk));
    const [first, last] = [lines[0], lines.at(-1)];
    const bytes = Buffer.concat(lines.flatMap((line) => [line.bytes, lineEnd]));
    const offset = first === undefined ? undefined : placeOf(first, bytes, log);
    if (offset !== undefined) writeOver(places.file, bytes, offset, disk);
    if (last === undefined || offset !== undefined) disk.remove(path);
    else putAside(path, places, { session: log.session, last }, disk);
  } catch (error) {
    throw writeFailed(`${places.file} could not be refilled from ${path}.`, error);
  }
  return true;
}

/**
 * Where lines lie in a log, the first of which is given: from there on it has the same bytes, as far as it is sound, or
 * they begin right behind its last sound line. Undefined where they do not belong there.
 */
function placeOf(first: Line, bytes: Buffer, log: OpenLog): number | undefined {
  const { state } = examineTail(log.fd, { known: undefined, firstSum: log.firstSum });
  if (state === undefined) return undefined;
  if (first.id === state.lastId + 1) {
    return expectedSum(first.bytes, state.lastSum) === first.sum ? state.size : undefined;
  }
  const from = findEvent(log.fd, first.id, state.size)?.offset;
  if (from === undefined) return undefined;
  const there = readFully(log.fd, { from, length: Math.min(bytes.length, state.size - from) });
  return there.equals(bytes.subarray(0, there.length)) ? from : undefined;
}

/** Also what the log has: after a failed sync it may be there to be read and not on the disk. */
function writeOver(file: string, bytes: Buffer, offset: number, disk: Disk): void {
  const fd = disk.openUpdate(file);
  try {
    if (disk.writeAt(fd, bytes, offset) !== bytes.length) throw new Error("short write");
    disk.syncNow(fd);
  } finally {
    disk.close(fd);
  }
}

/** A strip that does not belong to its log: more is wrong than a power cut explains, and nothing may be thrown away. */
function putAside(
  path: string,
  { quarantine }: LogPlaces,
  { session, last }: { readonly session: string; readonly last: Line },
  disk: Disk,
): void {
  makeDurableDirectory(quarantine, disk);
  disk.rename(path, join(quarantine, `${session}.${last.id}.${last.sum}.strip`));
}

function contentOf(path: string, disk: Disk): Buffer {
  const fd = disk.openRead(path);
  try {
    return readFully(fd, { from: 0, length: limits.stripBytes });
  } finally {
    disk.close(fd);
  }
}

/** The lines from the start that follow upon each other; what comes then is older, or was not finished. */
function linesOf(held: Buffer): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (let end = held.indexOf(newline); end >= 0; end = held.indexOf(newline, start)) {
    const bytes = held.subarray(start, end);
    const [id, sum, before] = [idOf(bytes), sumOf(bytes), lines.at(-1)];
    if (id === undefined || sum === undefined) break;
    if (before !== undefined && expectedSum(bytes, before.sum) !== sum) break;
    lines.push({ id, sum, bytes });
    start = end + 1;
  }
  return lines;
}
