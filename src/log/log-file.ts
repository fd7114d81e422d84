import { fstatSync, type Stats } from "node:fs";
import { closedHeld, type IdleDescriptor, nextUse, openHeld } from "../base/descriptors.ts";
import type { Disk } from "../base/disk.ts";
import { isRepriseError, RepriseError } from "../base/errors.ts";
import { openForReading } from "../base/open-file.ts";
import { openForAppending } from "./open-file.ts";

/** What must happen before a descriptor is closed through which something was written. */
export interface Unsynced {
  /** Whether something was written that is not synced. */
  readonly isLeft: () => boolean;
  /** Syncs it, blocking; a failure is remembered by who wrote. */
  readonly syncNow: () => void;
  /** Syncs it, and calls back when it is over. */
  readonly sync: (done: () => void) => void;
}

/**
 * The file of one open session, with one descriptor at most for reading and appending. While nobody uses it the
 * descriptor may be closed for others; on reopening, another file under the name is refused.
 */
export class LogFile implements IdleDescriptor {
  readonly path: string;
  readonly #disk: Disk;
  #fd: number | undefined;
  #users = 0;
  #isForAppending: boolean;
  #isClosed = false;
  /** Descriptors for reading alone, which somebody still used when one for appending took their place. */
  #former: number[] = [];
  #known: Identity | undefined;
  #unsynced: Unsynced | undefined;
  usedAt = 0;
  /** Counts how often the file was opened: what was known of it before must be looked at again. */
  openings = 0;

  constructor(path: string, disk: Disk, options: { readonly isForAppending?: boolean } = {}) {
    this.path = path;
    this.#disk = disk;
    this.#isForAppending = options.isForAppending ?? false;
  }

  /** The descriptor; valid until the caller, who said `enter` before, says `leave`. */
  get fd(): number {
    return this.#fd ?? this.#open();
  }

  get isIdle(): boolean {
    return this.#users === 0;
  }

  get isSynced(): boolean {
    return this.#unsynced?.isLeft() !== true;
  }

  /** Keeps the descriptor from being closed. */
  enter(): void {
    this.#users += 1;
    this.usedAt = nextUse();
  }

  /** Ends what `enter` began. */
  leave(): void {
    this.#users -= 1;
    if (this.#users === 0 && this.#former.length > 0) this.#closeFormer();
  }

  /** Does something with the descriptor. */
  use<T>(work: (fd: number) => T): T {
    this.enter();
    try {
      return work(this.fd);
    } finally {
      this.leave();
    }
  }

  /** Has a writer asked before the descriptor is closed. */
  guard(unsynced: Unsynced): void {
    this.#unsynced = unsynced;
  }

  /** Opens the file for appending too, from now on; where that is refused, it can be read as before. */
  needAppending(): void {
    if (this.#isForAppending) return;
    const reading = this.#fd;
    this.#isForAppending = true;
    try {
      this.#open();
    } catch (error) {
      this.#isForAppending = false;
      throw error;
    }
    if (reading !== undefined) this.#former.push(reading);
    if (this.isIdle) this.#closeFormer();
  }

  closeIdle(): void {
    if (!this.isSynced) this.#unsynced?.syncNow();
    this.#closeDescriptor();
  }

  closeSoon(): void {
    this.enter();
    const { usedAt } = this;
    this.#unsynced?.sync(() => {
      this.leave();
      if (this.isIdle && this.usedAt === usedAt && this.isSynced) this.#closeDescriptor();
    });
  }

  /** Closes it for good, anyone who uses it; a second call does nothing. */
  close(): void {
    this.#isClosed = true;
    this.#closeFormer();
    this.#closeDescriptor();
  }

  #closeFormer(): void {
    for (const fd of this.#former.splice(0)) this.#disk.close(fd);
  }

  #closeDescriptor(): void {
    const fd = this.#fd;
    if (fd === undefined) return;
    this.#fd = undefined;
    closedHeld(this);
    this.#disk.close(fd);
  }

  #open(): number {
    if (this.#isClosed) throw new RepriseError("closed", `${this.path} is closed.`);
    const fd = openHeld(() => this.#opened(), this);
    try {
      this.#known = sameFile(this.#known, fstatSync(fd)) ?? this.#refuse();
    } catch (error) {
      if (this.#fd === undefined) closedHeld(this);
      this.#disk.close(fd);
      throw error;
    }
    this.openings += 1;
    this.#fd = fd;
    return fd;
  }

  #opened(): number {
    try {
      return this.#isForAppending
        ? openForAppending(this.path, this.#disk)
        : openForReading(this.path);
    } catch (error) {
      if (this.#known !== undefined && isRepriseError(error, "not_found")) return this.#refuse();
      throw error;
    }
  }

  #refuse(): never {
    throw new RepriseError(
      "changed_outside",
      `${this.path} was removed or replaced while it was open.`,
    );
  }
}

interface Identity {
  readonly device: number;
  readonly inode: number;
  /** When the file was made; undefined if the system does not know that. */
  readonly bornMs: number | undefined;
}

/** What a file is known by, if it may be the known one. */
function sameFile(known: Identity | undefined, stat: Stats): Identity | undefined {
  const { dev: device, ino: inode, birthtimeMs, ctimeMs } = stat;
  if (known === undefined) {
    // A system without the time of birth gives the time of the last change instead, which is not a mark of a file.
    const bornMs = birthtimeMs > 0 && birthtimeMs !== ctimeMs ? birthtimeMs : undefined;
    return { device, inode, bornMs };
  }
  if (known.device !== device || known.inode !== inode) return undefined;
  // The number of a file that is gone may be given to the next one.
  return known.bornMs === undefined || known.bornMs === birthtimeMs ? known : undefined;
}
