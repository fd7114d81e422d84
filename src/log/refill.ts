import { fstatSync } from "node:fs";
import { join } from "node:path";
import { type Disk, exists } from "../base/disk.ts";
import { makeDurableDirectory } from "../base/durable-directory.ts";
import { limits } from "../base/limits.ts";
import { readFully } from "../base/read-fully.ts";
import { writeError } from "../base/system-error.ts";
import { newline } from "../jsonl/line.ts";
import { linesForward } from "../jsonl/read-forward.ts";
import type { EventId } from "../model/event.ts";
import { findEvent } from "./find.ts";
import { decodeLine, expectedSum, idOf, sumOf } from "./line.ts";
import { stripPath } from "./strip.ts";
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
}

/**
 * Puts back what a strip holds and its log may have lost, makes the log durable and removes the strip; only who holds
 * the lease may. False where no strip was left. Lines go where they were, byte for byte, so every step may be repeated.
 */
export function refillFromStrip(places: LogPlaces, log: OpenLog, disk: Disk): boolean {
  const path = stripPath(places.strips, log.session);
  try {
    if (!exists(path)) return false;
    const lines = linesOf(contentOf(path, disk));
    const [first, last] = [lines[0], lines.at(-1)];
    const bytes = Buffer.concat(lines.flatMap((line) => [line.bytes, lineEnd]));
    const offset = first === undefined ? undefined : placeOf(first, log.fd);
    const fits = offset !== undefined && isFree(log.fd, offset, bytes);
    if (fits) writeOver(places.file, bytes, offset, disk);
    if (last === undefined || fits) disk.remove(path);
    else putAside(path, places, { session: log.session, last }, disk);
  } catch (error) {
    throw writeError(error, `${places.file} could not be refilled from ${path}.`);
  }
  return true;
}

/** Where a line begins: behind the one it follows by number and sum. Undefined where the log has none such. */
function placeOf(line: Line, fd: number): number | undefined {
  const before = findEvent(fd, line.id - 1, fstatSync(fd).size);
  if (before === undefined) return undefined;
  const length = before.endOffset - 1 - before.offset;
  const sum = sumOf(readFully(fd, { from: before.offset, length }));
  if (sum === undefined || expectedSum(line.bytes, sum) !== line.sum) return undefined;
  return before.endOffset;
}

/** Whether bytes can be written over what a log has there: nothing, the same, or what is no whole line. */
function isFree(fd: number, offset: number, bytes: Buffer): boolean {
  for (const line of linesForward(fd, { from: offset })) {
    const start = line.offset - offset;
    if (start >= bytes.length) return true;
    if (!line.complete || line.tooLong || decodeLine(line.bytes) === undefined) continue;
    if (!line.bytes.equals(bytes.subarray(start, start + line.bytes.length))) return false;
  }
  return true;
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
