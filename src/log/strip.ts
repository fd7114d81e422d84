import { dirname, join } from "node:path";
import { type Disk, exists, inodeAt } from "../base/disk.ts";
import { makeDurableDirectory } from "../base/durable-directory.ts";
import { limits } from "../base/limits.ts";

/*
 * The newest lines of a log a second time, in a file of fixed length that is written over again and again. A sync of a
 * file that grew makes the file system commit its journal; a sync of one that was written over does not, and where every
 * append waits for the disk that is a good part of it. So such an append is durable by the strip; the log is synced when
 * the strip is full, then the strip begins anew. What a power cut took from the log is put back from the strip
 * (`refill.ts`) by whoever takes the lease next. Without one nothing is lost, it is only slower.
 */

/** The strip of a session. */
export function stripPath(folder: string, session: string): string {
  return join(folder, `${session}.strip`);
}

/** Whether a session has a strip: beside a live writer it is that one's, else it was left. */
export function hasStrip(folder: string, session: string): boolean {
  return exists(stripPath(folder, session));
}

/** A strip that is being written. */
export class Strip {
  readonly fd: number;
  readonly #path: string;
  readonly #disk: Disk;
  #length = 0;

  private constructor(path: string, fd: number, disk: Disk) {
    this.#path = path;
    this.fd = fd;
    this.#disk = disk;
  }

  /** Makes the strip of a session, its name on the disk; undefined where that is not possible. */
  static create(path: string, disk: Disk): Strip | undefined {
    let fd: number | undefined;
    try {
      makeDurableDirectory(dirname(path), disk);
      fd = disk.openUpdate(path, { create: true });
      // Room that was only set aside would have to be noted as written later.
      const isWhole = disk.writeAt(fd, Buffer.alloc(limits.stripBytes), 0) === limits.stripBytes;
      if (!isWhole) throw new Error("no room");
      disk.syncDirectory(dirname(path));
      return new Strip(path, fd, disk);
    } catch {
      if (fd !== undefined) disk.close(fd);
      return undefined;
    }
  }

  /** Adds a line; false where it is not in the strip. */
  put(bytes: Uint8Array): boolean {
    if (this.#length + bytes.length > limits.stripBytes) return false;
    try {
      if (this.#disk.writeAt(this.fd, bytes, this.#length) !== bytes.length) return false;
    } catch {
      return false;
    }
    this.#length += bytes.length;
    return true;
  }

  /** Begins anew: everything so far is durable in the log. */
  restart(): void {
    this.#length = 0;
  }

  /** Whether its name still leads to it: whoever takes the lease away takes the strip too. */
  isOurs(): boolean {
    try {
      return this.#disk.sizeOf(this.fd).inode === inodeAt(this.#path);
    } catch {
      return false;
    }
  }

  /** Removes it: everything so far is durable in the log. One that stays is removed by whoever takes the lease next. */
  remove(): void {
    try {
      if (this.isOurs()) this.#disk.remove(this.#path);
    } catch {
      return;
    }
  }

  /** Lets go of the file. */
  close(): void {
    try {
      this.#disk.close(this.fd);
    } catch {
      return;
    }
  }
}
