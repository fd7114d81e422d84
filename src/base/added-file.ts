import { createHash, randomBytes } from "node:crypto";
import { closeSync, readSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeFully } from "./atomic-write.ts";
import { type Disk, disk as realDisk } from "./disk.ts";
import { errnoOf, RepriseError } from "./errors.ts";
import { limits } from "./limits.ts";

/** A file we added somewhere, as it was in that moment. */
export interface FilePrint {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
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
  readonly #hash = createHash("sha256");
  #sizeBytes = 0;
  #open = true;

  constructor(path: string, disk: Disk = realDisk) {
    this.#path = path;
    this.#disk = disk;
    disk.makeDirectory(dirname(path));
    // A name no agent takes for a session: a dot in front, no ending of theirs.
    this.#temporary = join(
      dirname(path),
      `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`,
    );
    this.#fd = disk.openAppend(this.#temporary, { create: true });
  }

  /** Adds a piece; a failure leaves nothing behind. */
  write(piece: string | Uint8Array): void {
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    try {
      writeFully(this.#disk, this.#fd, bytes);
    } catch (error) {
      this.abandon();
      throw new RepriseError(
        "write_failed",
        `${this.#path} could not be written; nothing was left behind.`,
        {
          cause: error,
          details: { errno: errnoOf(error) },
        },
      );
    }
    this.#hash.update(bytes);
    this.#sizeBytes += bytes.length;
  }

  /** Gives the file its name; throws `session_exists` where the name is taken. */
  publish(): FilePrint {
    try {
      this.#disk.syncNow(this.#fd);
      this.#disk.link(this.#temporary, this.#path);
    } catch (error) {
      this.abandon();
      if (errnoOf(error) !== "EEXIST") throw error;
      throw new RepriseError("session_exists", `${this.#path} is there already.`);
    }
    this.abandon();
    this.#disk.syncDirectory(dirname(this.#path));
    return { path: this.#path, sizeBytes: this.#sizeBytes, sha256: this.#hash.digest("hex") };
  }

  /** Removes what was staged; does nothing after it was published. */
  abandon(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#disk.close(this.#fd);
    this.#disk.remove(this.#temporary);
  }
}

/** What a file is in this moment. */
export function printOf(path: string): FilePrint {
  return { path, sizeBytes: statSync(path).size, sha256: sha256Of(path) };
}

/** Whether a file is still exactly what was added. */
export function isUntouched(print: FilePrint): boolean {
  const stat = statSync(print.path, { throwIfNoEntry: false });
  return stat?.size === print.sizeBytes && sha256Of(print.path) === print.sha256;
}

/** Removes added files, all or none; throws `conflict` where one was touched since. */
export function removeAdded(prints: readonly FilePrint[], disk: Disk = realDisk): void {
  const touched = prints.find((print) => !isUntouched(print));
  if (touched !== undefined) {
    throw new RepriseError("conflict", `${touched.path} was changed since it was added; it stays.`);
  }
  for (const { path } of prints) {
    disk.remove(path);
    disk.syncDirectory(dirname(path));
  }
}

function sha256Of(path: string): string {
  const hash = createHash("sha256");
  const fd = realDisk.openRead(path);
  try {
    const buffer = Buffer.allocUnsafe(limits.chunkBytes);
    for (let at = 0; ; ) {
      const taken = readSync(fd, buffer, 0, buffer.length, at);
      if (taken === 0) return hash.digest("hex");
      hash.update(buffer.subarray(0, taken));
      at += taken;
    }
  } finally {
    closeSync(fd);
  }
}
