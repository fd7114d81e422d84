import { lstatSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { writeFully } from "../base/atomic-write.ts";
import { type Disk, disk as realDisk } from "../base/disk.ts";
import { makeDurableDirectory } from "../base/durable-directory.ts";
import { namesIn, smallFile, statOf } from "../base/folders.ts";
import { markLife, markPattern, processMark } from "../base/holder.ts";
import { asArray, asString, parseObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { markIn } from "../base/temporary-name.ts";
import { removeEmpty } from "./made-folders.ts";

/** What is reported an addition before any of it can be seen, so that it is swept should this process die. */
export interface Staging {
  /** Says that a temporary file, and folders for it, are about to be made. */
  announce(temporary: string, folders: readonly string[]): void;
  /** Keeps bytes that are about to be written elsewhere; returns where. */
  keep(bytes: Uint8Array): string;
}

/**
 * A note that this process is changing things, in a folder of such notes. What is announced is on the disk before it is
 * made. `end` takes the note away; one that stays behind names a process that died.
 */
export class Running implements Staging {
  readonly #folder: string;
  readonly #disk: Disk;
  readonly #name = `${processMark()}.${Math.random().toString(36).slice(2)}`;
  readonly #kept: string[] = [];
  #fd: number | undefined;
  #isNamed = false;

  constructor(folder: string, disk: Disk = realDisk) {
    this.#folder = folder;
    this.#disk = disk;
  }

  /** Leaves the note, if it is not there yet; a kill leaves it behind, a power cut may take it. */
  begin(): number {
    if (this.#fd !== undefined) return this.#fd;
    makeDurableDirectory(this.#folder, this.#disk);
    this.#fd = this.#disk.openAppend(this.#place(noteEnd), { create: true });
    return this.#fd;
  }

  /** The same, and a power cut leaves it too. */
  beginDurably(): number {
    const fd = this.begin();
    if (!this.#isNamed) this.#disk.syncDirectory(this.#folder);
    this.#isNamed = true;
    return fd;
  }

  announce(temporary: string, folders: readonly string[]): void {
    const fd = this.beginDurably();
    const line = `${JSON.stringify({ temporary, folders })}\n`;
    writeFully(this.#disk, fd, Buffer.from(line));
    this.#disk.syncNow(fd);
  }

  keep(bytes: Uint8Array): string {
    this.begin();
    const path = this.#place(`.${this.#kept.length + 1}${keptEnd}`);
    const fd = this.#disk.openAppend(path, { create: true });
    this.#kept.push(path);
    try {
      writeFully(this.#disk, fd, bytes);
      this.#disk.syncNow(fd);
    } finally {
      this.#disk.close(fd);
    }
    this.#disk.syncDirectory(this.#folder);
    return path;
  }

  /** Takes the note away: nothing is left to sweep. */
  end(): void {
    if (this.#fd === undefined) return;
    this.#disk.close(this.#fd);
    this.#fd = undefined;
    for (const path of [...this.#kept, this.#place(noteEnd)]) this.#disk.remove(path);
  }

  #place(end: string): string {
    return join(this.#folder, `${this.#name}${end}`);
  }
}

const noteEnd = ".jsonl";
const keptEnd = ".kept";
const ofRun = new RegExp(`^(${markPattern})\\.[0-9a-z]*(?:\\.[0-9]+)?\\.(?:jsonl|kept)$`);

/** What processes that died left in a folder of notes: their notes, and bytes they kept. */
export function deadRuns(folder: string, nowMs = Date.now()): readonly string[] {
  return namesIn(folder)
    .filter((name) => {
      const mark = ofRun.exec(name)?.[1];
      if (mark === undefined) return false;
      const life = markLife(mark);
      return life === "dead" || (life === "unknown" && isSilent(join(folder, name), nowMs));
    })
    .map((name) => join(folder, name));
}

/** Removes the temporary files that dead processes announced, as far as they are theirs by name; returns how many. */
export function sweepAnnounced(runs: readonly string[], disk: Disk = realDisk): number {
  let swept = 0;
  const folders = new Set<string>();
  for (const { temporary, made } of runs.flatMap(announcedIn)) {
    // A link counts as itself.
    if (isThere(temporary)) {
      disk.remove(temporary);
      swept += 1;
    }
    for (const folder of made) folders.add(folder);
  }
  // One temporary file may lie in a folder that was made for another: all go first, then the deepest folders.
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) removeEmpty([folder]);
  return swept;
}

function isThere(path: string): boolean {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat?.isFile() === true || stat?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}

/** What a note announces, as far as it names its own process. */
function announcedIn(
  run: string,
): readonly { readonly temporary: string; readonly made: readonly string[] }[] {
  const mark = ofRun.exec(basename(run))?.[1];
  if (!run.endsWith(noteEnd)) return [];
  const lines = (smallFile(run, limits.runningBytes) ?? "").split("\n");
  return lines.flatMap((line) => {
    const said = parseObject(line);
    const temporary = asString(said?.["temporary"]);
    if (temporary === undefined || markIn(basename(temporary)) !== mark) return [];
    const folders = asArray(said?.["folders"]).flatMap((folder) => asString(folder) ?? []);
    return [{ temporary, made: folders.filter((folder) => temporary.startsWith(folder + sep)) }];
  });
}

/** Forgets notes that were dealt with. */
export function forgetRuns(runs: readonly string[], disk: Disk = realDisk): void {
  for (const run of runs) disk.remove(run);
}

function isSilent(path: string, nowMs: number): boolean {
  const stat = statOf(path);
  return stat !== undefined && nowMs - stat.mtimeMs > limits.silentRunMs;
}
