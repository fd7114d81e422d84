import { rmdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { failpoint } from "./failpoint.ts";
import { type LeaseHolder, staleAfterMs } from "./holder.ts";
import {
  beatLease,
  examineLease,
  isConfirmed,
  leaseNumber,
  namesIn,
  removeFile,
} from "./lease-files.ts";
import { limits } from "./limits.ts";
import { whyRefused, writeError } from "./system-error.ts";

/** The right to write, held by this process until released. */
export interface Lease {
  readonly holder: LeaseHolder;
  /** Gives the lease up, and its folder with it where that is its own; a second call does nothing. */
  release(): void;
  /** Gives the lease up for a pause: its folder stays, which is most of what taking it again would cost. */
  pause(): void;
  /**
   * Looks whether the lease is still this process's, then beats if a beat is due, in that order: a beat first would
   * hide that somebody may have come and gone. Once false it stays false.
   */
  isKept(): boolean;
}

/** Where a lease lies. */
export interface LeasePath {
  readonly folder: string;
  readonly prefix: string;
  readonly number: number;
  /** Whether the folder holds this one lease only, and goes with it. */
  readonly isOwnFolder: boolean;
}

/** A lease that was just taken; `beatMs` is a moment before it was published. */
export function heldLease(at: LeasePath, holder: LeaseHolder, beatMs: number): Lease {
  return new HeldLease(at, holder, beatMs);
}

class HeldLease implements Lease {
  readonly holder: LeaseHolder;
  readonly #at: LeasePath;
  readonly #path: string;
  /** The silence after which others may take it, and one beat less: clocks may differ by that. */
  readonly #silenceMs: number;
  readonly #heartbeatMs: number;
  #beatMs: number;
  /** The time of the folder at which no successor was in it. */
  #settledMs = -1;
  #isLost = false;
  #isReleased = false;

  constructor(at: LeasePath, holder: LeaseHolder, beatMs: number) {
    this.holder = holder;
    this.#at = at;
    this.#path = join(at.folder, `${at.prefix}${at.number}`);
    this.#heartbeatMs = staleAfterMs(holder) / limits.leaseBeats;
    this.#silenceMs = staleAfterMs(holder) - this.#heartbeatMs;
    this.#beatMs = beatMs;
  }

  isKept(): boolean {
    if (this.#isLost || this.#isReleased) return false;
    const nowMs = Date.now();
    const silentMs = nowMs - this.#beatMs;
    if (silentMs > this.#silenceMs || !this.#isNewest(nowMs)) {
      this.#isLost = true;
      return false;
    }
    // Before the last beat: the clock was set back.
    const isDue = silentMs >= this.#heartbeatMs || silentMs < 0;
    if (isDue && beatLease(this.#path, nowMs)) this.#beatMs = nowMs;
    return true;
  }

  release(): void {
    this.pause();
    if (this.#at.isOwnFolder) removeEmptyFolder(this.#at.folder);
  }

  pause(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    failpoint("lease.before-unlink");
    // After a long silence its name may have passed to another lease.
    const isOurs = Date.now() - this.#beatMs < limits.leaseForgottenMs / 2 || this.#isThere();
    if (isOurs) removeFile(this.#path);
  }

  /**
   * Whether the file is there and no higher number is. A lower one steps back by itself. The folder's time says that
   * nothing came or went, so that looking costs an append one call.
   */
  #isNewest(nowMs: number): boolean {
    const changedMs = this.#folderTime();
    if (changedMs === this.#settledMs) return true;
    const higher = this.#higher();
    if (higher.some(isConfirmed) || !this.#isThere()) return false;
    // A change in the same moment would leave the same time, and a claim is confirmed without changing it.
    const isSettled = higher.length === 0 && Math.abs(nowMs - changedMs) > limits.folderTimeMs;
    if (isSettled) this.#settledMs = changedMs;
    return true;
  }

  /** Leases and claims with a higher number. */
  #higher(): readonly string[] {
    const { folder, prefix, number } = this.#at;
    try {
      const names = namesIn(folder) ?? [];
      const higher = names.filter((name) => leaseNumber(name, prefix) > number);
      return higher.map((name) => join(folder, name));
    } catch (error) {
      throw writeError(error, `${folder} cannot be looked at: ${whyRefused(error)}.`);
    }
  }

  #isThere(): boolean {
    return examineLease(this.#path, this.#at.number)?.holder.nonce === this.holder.nonce;
  }

  /** By its path: an open folder would answer sooner, but takes a descriptor for each session that is written. */
  #folderTime(): number {
    return statSync(this.#at.folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  }
}

/** Removes the folder of a lease that nobody has. */
export function removeEmptyFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody else has a lease there, or removed it.
  }
}
