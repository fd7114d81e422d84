import { basename, dirname, join } from "node:path";
import { writeFully } from "../base/atomic-write.ts";
import { type Disk, disk as realDisk } from "../base/disk.ts";
import { errnoOf, RepriseError } from "../base/errors.ts";
import { failpoint } from "../base/failpoint.ts";
import { limits } from "../base/limits.ts";
import { temporaryName } from "../base/temporary-name.ts";
import { JsonBytes } from "../json/json-bytes.ts";
import { type FilePrint, notWritten, removeAdded, sha256Of } from "./added-file.ts";
import { missingFolders, removeEmpty } from "./made-folders.ts";
import type { Staging } from "./running.ts";

/** How a file is staged. */
export interface StagedFileOptions {
  /** Hears of the temporary file before it is made. */
  readonly staging?: Pick<Staging, "announce"> | undefined;
  readonly disk?: Disk | undefined;
}

/**
 * A new file in a folder another program owns: announced, written aside in pieces, synced, linked into place without
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
  #print: FilePrint | undefined;
  #open = true;

  constructor(path: string, { staging, disk = realDisk }: StagedFileOptions = {}) {
    this.#path = path;
    this.#disk = disk;
    this.#folders = missingFolders(dirname(path));
    // A name no agent takes for a session: a dot in front, no ending of theirs.
    this.#temporary = temporaryName(join(dirname(path), `.${basename(path)}`));
    try {
      staging?.announce(this.#temporary, this.#folders);
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

  /** Lets somebody else write the file, who needs its path, such as a database; nothing was written by then. */
  fillBy(make: (temporary: string) => void): void {
    try {
      make(this.#temporary);
      this.#sizeBytes = this.#disk.sizeOf(this.#fd).size;
    } catch (error) {
      this.abandon();
      throw notWritten(this.#path, error);
    }
  }

  /** Makes the file durable and says what will be added; nothing has its name yet. A failure leaves nothing behind. */
  finish(): FilePrint {
    if (this.#print !== undefined) return this.#print;
    this.#writeHeld();
    try {
      this.#disk.syncNow(this.#fd);
      this.#print = {
        path: this.#path,
        sizeBytes: this.#sizeBytes,
        sha256: sha256Of(this.#temporary),
        ...(this.#folders.length > 0 && { folders: this.#folders }),
      };
    } catch (error) {
      this.abandon();
      throw notWritten(this.#path, error);
    }
    failpoint("addition.staged");
    return this.#print;
  }

  /** Gives the file its name; throws `session_exists` if the name is taken, and leaves nothing behind. */
  publish(): FilePrint {
    return this.#put(() => this.#disk.link(this.#temporary, this.#path));
  }

  /** Gives the file its name, in the place of what has it: for what is ours already. */
  replace(): FilePrint {
    return this.#put(() => this.#disk.rename(this.#temporary, this.#path));
  }

  /** Removes what was staged; does nothing after it was published. */
  abandon(): void {
    if (!this.#open) return;
    this.#close();
    removeEmpty(this.#folders);
  }

  #put(name: () => void): FilePrint {
    const print = this.finish();
    try {
      name();
    } catch (error) {
      this.abandon();
      if (errnoOf(error) !== "EEXIST") throw notWritten(this.#path, error);
      throw new RepriseError("session_exists", `${this.#path} already exists.`);
    }
    failpoint("addition.linked");
    this.#close();
    this.#disk.syncDirectory(dirname(this.#path));
    failpoint("addition.published");
    return print;
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
    failpoint("addition.half-staged");
    this.#sizeBytes += held.length;
    held.restart();
  }

  #close(): void {
    this.#open = false;
    this.#disk.close(this.#fd);
    this.#disk.remove(this.#temporary);
  }
}

/** Stages a file of JSON lines: all that `fill` puts into it, or nothing if it fails. */
export async function stageLines(
  path: string,
  options: StagedFileOptions,
  fill: (put: (record: object) => void) => Promise<void>,
): Promise<StagedFile> {
  const file = new StagedFile(path, options);
  try {
    await fill((record) => file.writeLine(record));
    file.finish();
    return file;
  } catch (error) {
    file.abandon();
    throw error;
  }
}

/** Gives staged files their names, once `intend` has written down what they are: all of them or none. */
export function publishAll(files: readonly StagedFile[], intend: () => void): void {
  const published: FilePrint[] = [];
  try {
    intend();
    for (const file of files) published.push(file.publish());
  } catch (error) {
    for (const file of files) file.abandon();
    removeAdded(published);
    throw error;
  }
}
