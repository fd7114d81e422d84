import { closeSync, fstatSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { errnoOf } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { makeFolder } from "../../base/make-folder.ts";
import { openAtOnce, openToAppend } from "../../base/open-file.ts";
import { readFully } from "../../base/read-fully.ts";
import { type BridgeLine, decodeLine, encodeLine } from "./line.ts";
import type { BridgePlaces } from "./places.ts";

/** The lines of a log from an offset on. */
export interface LogRest {
  readonly lines: readonly { readonly line: BridgeLine; readonly offset: number }[];
  /** Where the last whole line ends. */
  readonly end: number;
  /** Whether the log ends with a whole line; what comes after must begin on a new one otherwise. */
  readonly clean: boolean;
  /** More lines came after the bound: a state made of these is not the newest. */
  readonly cut: boolean;
  /** Lines that could not be read. */
  readonly damaged: number;
}

const nothing: LogRest = { lines: [], end: 0, clean: true, cut: false, damaged: 0 };

/** Reads what a log holds after an offset, up to the bound; a log that is not there holds nothing. */
export function readRest(
  path: string,
  options: { readonly session: string; readonly from: number; readonly mostBytes?: number },
): LogRest {
  const { session, from, mostBytes = limits.bridgeRestBytes } = options;
  let fd: number;
  try {
    fd = openAtOnce(path);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return nothing;
    throw error;
  }
  try {
    const size = fstatSync(fd).size;
    if (size <= from) return { ...nothing, end: from };
    const length = Math.min(size - from, mostBytes);
    return restOf(readFully(fd, { from, length }), { session, from, cut: size - from > mostBytes });
  } finally {
    closeSync(fd);
  }
}

function restOf(
  bytes: Buffer,
  options: { readonly session: string; readonly from: number; readonly cut: boolean },
): LogRest {
  const lines: { line: BridgeLine; offset: number }[] = [];
  let damaged = 0;
  let start = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, start)) {
    if (at > start) {
      const line = decodeLine(bytes.toString("utf8", start, at), options.session);
      if (line === undefined) damaged += 1;
      else lines.push({ line, offset: options.from + start });
    }
    start = at + 1;
  }
  return {
    lines,
    end: options.from + start,
    clean: start === bytes.length,
    cut: options.cut,
    damaged,
  };
}

/** Appends one line by one write; what a full disk left of an earlier one stays a line of its own. */
export function appendLine(places: BridgePlaces, line: BridgeLine, clean: boolean): void {
  const bytes = Buffer.from(clean ? encodeLine(line) : `\n${encodeLine(line)}`);
  const fd = openLog(places);
  try {
    if (writeSync(fd, bytes) !== bytes.length)
      throw Object.assign(new Error("short write"), { code: "ENOSPC" });
  } finally {
    closeSync(fd);
  }
}

function openLog({ log }: BridgePlaces): number {
  try {
    return openToAppend(log);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
    makeFolder(dirname(log));
    return openToAppend(log);
  }
}

/** Brings an archived session back, as far as there is one and no new one was begun. */
export function unarchive({ log, snapshot, archivedLog, archivedSnapshot }: BridgePlaces): boolean {
  try {
    renameSync(archivedLog, log);
  } catch {
    return false;
  }
  try {
    renameSync(archivedSnapshot, snapshot);
  } catch {
    // A snapshot is made again from its log.
  }
  return true;
}
