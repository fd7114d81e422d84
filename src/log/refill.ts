import { join } from "node:path";
import { type Disk, exists } from "../base/disk.ts";
import { makeDurableDirectory } from "../base/durable-directory.ts";
import { limits } from "../base/limits.ts";
import { readFully } from "../base/read-fully.ts";
import { newline } from "../jsonl/line.ts";
import type { EventId } from "../model/event.ts";
import { expectedSum, idOf, sumOf } from "./line.ts";
import { stripPath } from "./strip.ts";
import { examineTail } from "./tail.ts";
import { writeFailed } from "./write-once.ts";
import type { LogPlaces } from "./writer-options.ts";

interface Line {
  readonly id: EventId;
  readonly sum: string;
  readonly bytes: Buffer;
  readonly start: number;
}

/** An open log. */
interface OpenLog {
  readonly session: string;
  readonly fd: number;
  /** What its first line follows. */
  readonly firstSum: string;
}

/**
 * Puts back what a strip holds and its log lost, makes the log durable and removes the strip; only who holds the lease
 * may. False where no strip was left. Lines go where they were, byte for byte, so every step may be repeated.
 */
export function refillFromStrip(places: LogPlaces, log: OpenLog, disk: Disk): boolean {
  const path = stripPath(places.strips, log.session);
  if (!exists(path)) return false;
  try {
    refill(path, places, log, disk);
  } catch (error) {
    throw writeFailed(`${places.file} could not be refilled from ${path}.`, error);
  }
  return true;
}

/** A strip that does not fit onto its log is put aside: more is wrong then than a power cut explains. */
function refill(path: string, places: LogPlaces, log: OpenLog, disk: Disk): void {
  const held = contentOf(path, disk);
  const lines = linesOf(held);
  const { state } = examineTail(log.fd, { known: undefined, firstSum: log.firstSum });
  const last = lines.at(-1);
  if (state === undefined || last === undefined || last.id <= state.lastId) {
    disk.syncNow(log.fd);
    disk.remove(path);
    return;
  }
  const next = lines.find(({ id }) => id === state.lastId + 1);
  if (next === undefined || expectedSum(next.bytes, state.lastSum) !== next.sum) {
    makeDurableDirectory(places.quarantine, disk);
    disk.rename(path, join(places.quarantine, `${log.session}.${last.id}.${last.sum}.strip`));
    return;
  }
  const fd = disk.openUpdate(places.file);
  try {
    const lost = held.subarray(next.start, last.start + last.bytes.length + 1);
    if (disk.writeAt(fd, lost, state.size) !== lost.length) throw new Error("short write");
    disk.syncNow(fd);
  } finally {
    disk.close(fd);
  }
  disk.remove(path);
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
    lines.push({ id, sum, bytes, start });
    start = end + 1;
  }
  return lines;
}
