import { fstatSync } from "node:fs";
import { basename, join } from "node:path";
import { type Disk, exists } from "../base/disk.ts";
import { makeDurableDirectory } from "../base/durable-directory.ts";
import { limits } from "../base/limits.ts";
import { readFully } from "../base/read-fully.ts";
import { writeError } from "../base/system-error.ts";
import { newline } from "../jsonl/line.ts";
import { linesForward } from "../jsonl/read-forward.ts";
import type { EventId, RecoveredEvent } from "../model/event.ts";
import { findEvent } from "./find.ts";
import { decodeLine, expectedSum, idOf, sumOf } from "./line.ts";
import type { LogPlaces } from "./writer-options.ts";

/*
 * Older versions wrote the newest lines of a log a second time, into a strip beside it, and after a power cut a strip may
 * be the only place that has them. None is written any more; anyone who takes the lease next settles one that was left.
 */

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

/** What became of a strip. */
interface SettledStrip {
  /** What the log must tell of it, where it could not be put back. */
  readonly report: RecoveredEvent | undefined;
}

/** Whether an older version left a strip for a session; beside a live writer it is that one's. */
export function hasOldStrip(folder: string, session: string): boolean {
  return exists(stripPath(folder, session));
}

/**
 * Puts back what a strip holds and its log may have lost, makes the log durable and removes the strip; one that does not
 * belong to its log is set aside. Only who holds the lease may. Undefined where no strip was left. Lines go where they
 * were, byte for byte, so every step may be repeated.
 */
export function settleOldStrip(
  places: LogPlaces,
  log: OpenLog,
  disk: Disk,
): SettledStrip | undefined {
  const path = stripPath(places.strips, log.session);
  try {
    if (!exists(path)) return undefined;
    const lines = linesOf(contentOf(path, disk));
    const bytes = Buffer.concat(lines.flatMap((line) => [line.bytes, lineEnd]));
    const offset = lines[0] === undefined ? undefined : placeOf(lines[0], log.fd);
    const fits = offset !== undefined && isFree(log.fd, offset, bytes);
    if (fits) writeOver(places.file, bytes, offset, disk);
    if (lines.length > 0 && !fits) return { report: setAside(path, places, lines, disk) };
    disk.remove(path);
    return { report: undefined };
  } catch (error) {
    throw writeError(error, `${places.file} could not be refilled from ${path}.`);
  }
}

function stripPath(folder: string, session: string): string {
  return join(folder, `${session}.strip`);
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

/** Whether bytes can be written over what a log has there: nothing, the same, or what is not a whole line. */
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

/** More is wrong than a power cut explains, and nothing may be thrown away. */
function setAside(
  path: string,
  { quarantine }: LogPlaces,
  lines: readonly Line[],
  disk: Disk,
): RecoveredEvent {
  const { id, sum } = lines.at(-1)!;
  const name = basename(path).replace(/strip$/, `${id}.${sum}.strip`);
  makeDurableDirectory(quarantine, disk);
  disk.rename(path, join(quarantine, name));
  const bytes = lines.reduce((total, line) => total + line.bytes.length + 1, 0);
  return { type: "recovered", quarantine: name, bytes, damaged: lines.length, recovered: 0 };
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
