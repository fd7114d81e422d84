import { createHash, randomBytes } from "node:crypto";
import { closeSync, readSync, rmdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeFully } from "../base/atomic-write.ts";
import { type Disk, exists, disk as realDisk } from "../base/disk.ts";
import { errnoOf, RepriseError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { whyRefused, writeError } from "../base/system-error.ts";
import { JsonBytes } from "../json/json-bytes.ts";

/** A file we added somewhere, as it was in that moment. */
export interface FilePrint {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Folders that were made for it, the innermost first. */
  readonly folders?: readonly string[];
}

/**
 * A new file in a folder another program owns: written aside in pieces, synced, linked into place without
 * overwriting, its folder synced (P3). Nothing is left where it is abandoned.
 */
export class StagedFile {
  readonly #path: string;
  readonly #temporary: string;
  readonly #disk: Disk;
  readonly #fd: number;
  /** Folders that were not there before, the innermost first. */
  readonly #folders: readonly string[];
  readonly #held = new JsonBytes({
    loneSurrogates: "escaped",
    mostBytes: limits.foreignLineBytes + limits.writeBytes,
  });
  #sizeBytes = 0;
  #open = true;

  constructor(path: string, disk: Disk = realDisk) {
    this.#path = path;
    this.#disk = disk;
    this.#folders = missingFolders(dirname(path));
    // A name no agent takes for a session: a dot in front, no ending of theirs.
    this.#temporary = join(
      dirname(path),
      `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`,
    );
    try {
      disk.makeDirectory(dirname(path));
      this.#fd = disk.openAppend(this.#temporary, { create: true });
    } catch (error) {
      removeEmpty(this.#folders);
      throw notWritten(path, error);
    }
  }

  /** Adds a text; a failure leaves nothing behind. */
  write(text: string): void {
    this.#held.text(text);
    this.#writeWhenMuch();
  }

  /** Adds a record as a line of JSON; a failure leaves nothing behind. */
  writeLine(record: object): void {
    this.#held.value(record);
    this.#held.latin1("\n");
    this.#writeWhenMuch();
  }

  /** Gives the file its name; throws `session_exists` where the name is taken. */
  publish(): FilePrint {
    this.#writeHeld();
    let sha256: string;
    try {
      this.#disk.syncNow(this.#fd);
      sha256 = sha256Of(this.#temporary);
      this.#disk.link(this.#temporary, this.#path);
    } catch (error) {
      this.abandon();
      if (errnoOf(error) !== "EEXIST") throw notWritten(this.#path, error);
      throw new RepriseError("session_exists", `${this.#path} is there already.`);
    }
    this.#close();
    this.#disk.syncDirectory(dirname(this.#path));
    return {
      path: this.#path,
      sizeBytes: this.#sizeBytes,
      sha256,
      ...(this.#folders.length > 0 && { folders: this.#folders }),
    };
  }

  /** Removes what was staged; does nothing after it was published. */
  abandon(): void {
    if (!this.#open) return;
    this.#close();
    removeEmpty(this.#folders);
  }

  /** Lines are many and small: they go to the disk together. */
  #writeWhenMuch(): void {
    if (this.#held.length >= limits.writeBytes) this.#writeHeld();
  }

  #writeHeld(): void {
    const held = this.#held;
    if (held.length === 0) return;
    try {
      writeFully(this.#disk, this.#fd, held.buffer.subarray(0, held.length));
    } catch (error) {
      this.abandon();
      throw notWritten(this.#path, error);
    }
    this.#sizeBytes += held.length;
    held.restart();
  }

  #close(): void {
    this.#open = false;
    this.#disk.close(this.#fd);
    this.#disk.remove(this.#temporary);
  }
}

/** The error of an addition that failed, with what the disk said; a folder that does not exist is named. */
export function notWritten(path: string, cause: unknown): RepriseError {
  const folder = dirname(path);
  if (errnoOf(cause) === "ENOENT" && !isThere(folder)) {
    return new RepriseError(
      "not_found",
      `The folder ${folder} does not exist; nothing was written.`,
      { cause, hint: "Make it, or choose another.", details: { folder } },
    );
  }
  return writeError(
    cause,
    `${path} could not be written: ${whyRefused(cause)}; nothing was left behind.`,
  );
}

/** Whether a file is still exactly what was added. */
export function isUntouched(print: FilePrint): boolean {
  const stat = statSync(print.path, { throwIfNoEntry: false });
  return stat?.size === print.sizeBytes && sha256Of(print.path) === print.sha256;
}

/** Adds a file of JSON lines: all that `fill` puts into it, or nothing where it fails. */
export async function addLines(
  path: string,
  fill: (put: (record: object) => void) => Promise<void>,
): Promise<FilePrint> {
  const file = new StagedFile(path);
  try {
    await fill((record) => file.writeLine(record));
    return file.publish();
  } catch (error) {
    file.abandon();
    throw error;
  }
}

/** What a file is in this moment. */
export function printOf(path: string): FilePrint {
  return { path, sizeBytes: statSync(path).size, sha256: sha256Of(path) };
}

/** Removes added files and the folders made for them, all or none; throws `conflict` where one was touched since. */
export function removeAdded(prints: readonly FilePrint[], disk: Disk = realDisk): void {
  const touched = prints.find((print) => !isUntouched(print));
  if (touched !== undefined) {
    throw new RepriseError("conflict", `${touched.path} was changed since it was added; it stays.`);
  }
  for (const { path } of prints) {
    disk.remove(path);
    disk.syncDirectory(dirname(path));
  }
  for (const { folders = [] } of prints) removeEmpty(folders);
}

/** SHA-256 of a file from an offset on, in hex. */
export function sha256Of(path: string, from = 0): string {
  const hash = createHash("sha256");
  const fd = realDisk.openRead(path);
  try {
    const buffer = Buffer.allocUnsafe(limits.chunkBytes);
    for (let at = from; ; ) {
      const taken = readSync(fd, buffer, 0, buffer.length, at);
      if (taken === 0) return hash.digest("hex");
      hash.update(buffer.subarray(0, taken));
      at += taken;
    }
  } finally {
    closeSync(fd);
  }
}

/** The folders that would have to be made for a path below this one, the innermost first. */
export function missingFolders(folder: string): readonly string[] {
  const missing: string[] = [];
  for (let at = folder; !isThere(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  return missing;
}

/** A path below a file is not there, as is one below nothing. */
function isThere(path: string): boolean {
  try {
    return exists(path);
  } catch {
    return false;
  }
}

/** Removes folders we made, as far as nobody put anything into them. */
export function removeEmpty(folders: readonly string[]): void {
  for (const folder of folders) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}
