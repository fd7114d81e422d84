import { RepriseError } from "../base/errors.ts";
import { removeEmptyFolder } from "../base/held-lease.ts";
import { type Lease, type LeasePlace, leaseLost, takeLease, takeLeaseSync } from "../base/lease.ts";
import { limits } from "../base/limits.ts";
import { inSlice } from "../base/slices.ts";

/** How a writer holds its lease. */
export interface LeaseTimes {
  /** How long others must hear nothing of this process before they take the lease from it. Default 30 seconds. */
  readonly leaseStaleMs?: number | undefined;
  /** After how long without an append the lease is given back. Default 2 seconds. */
  readonly leaseIdleMs?: number | undefined;
  /** Keep the lease, once taken, until the session is closed. */
  readonly exclusive?: boolean | undefined;
}

const held = new Set<LeaseKeeper>();
let releasesAtExit = false;

/**
 * Holds the lease of one session while it is written to: taken at the first append, looked at and kept alive while
 * in use, given back after a pause, on request, and when the process ends in an orderly way.
 */
export class LeaseKeeper {
  readonly #place: LeasePlace;
  readonly #staleMs: number | undefined;
  readonly #idleMs: number;
  readonly #isExclusive: boolean;
  #lease: Lease | undefined;
  #taking: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Whether it was used since the last tick: setting it costs an append nothing, reading the clock would. */
  #isUsed = false;
  #usedMs = 0;
  #lookedMs = 0;
  readonly #lostTerms = new Set<number>();
  /** Counts the times the lease was taken: what was known before belongs to another term. */
  term = 0;
  /** Called before an idle lease is given back, while it is still held. */
  onIdle: () => void = () => undefined;

  constructor(place: LeasePlace, times: LeaseTimes = {}) {
    const { leaseStaleMs, leaseIdleMs } = times;
    const { leaseStaleLeastMs, leaseStaleMostMs, leaseIdleLeastMs, leaseIdleMostMs } = limits;
    checkTime("leaseStaleMs", leaseStaleMs, [leaseStaleLeastMs, leaseStaleMostMs]);
    checkTime("leaseIdleMs", leaseIdleMs, [leaseIdleLeastMs, leaseIdleMostMs]);
    this.#place = place;
    this.#staleMs = leaseStaleMs;
    this.#idleMs = leaseIdleMs ?? limits.leaseIdleMs;
    this.#isExclusive = times.exclusive ?? false;
  }

  /** Whether the lease is held, by a look in this millisecond. */
  get held(): boolean {
    if (this.#lease !== undefined && Date.now() === this.#lookedMs) return true;
    return this.isKept();
  }

  /** Looks whether the lease is still held, then keeps it alive. A lost one is given up. */
  isKept(): boolean {
    if (this.#lease === undefined) return false;
    const nowMs = Date.now();
    if (this.#lease.isKept()) {
      this.#lookedMs = nowMs;
      return true;
    }
    this.#drop(true);
    return false;
  }

  /** Throws `lease_lost` unless the lease of a term was held when this process last looked, which is now if it still is. */
  confirm(term: number): void {
    if (term === this.term && this.#lease !== undefined) this.isKept();
    if (this.#lostTerms.has(term)) throw leaseLost(this.#place.name);
  }

  /**
   * Takes the lease without blocking; returns at once where it is held, and without it after `stopTaking`. `onHeld` is
   * called in the moment it is held.
   */
  async take(waitMs: number | undefined, onHeld: () => void = () => undefined): Promise<void> {
    if (this.isKept()) return;
    const taking = new AbortController();
    this.#taking = taking;
    try {
      await takeLease(this.#place, {
        waitMs,
        staleMs: this.#staleMs,
        signal: taking.signal,
        // Held at once: a blocking append may come before the promise is looked at.
        onTaken: (lease) => {
          this.#hold(lease);
          onHeld();
        },
      });
    } catch (error) {
      // A blocking append took the lease while this one waited for it, or nobody waits any more.
      if (!taking.signal.aborted) throw error;
    } finally {
      this.#taking = undefined;
    }
  }

  /** Ends a wait for the lease. */
  stopTaking(): void {
    this.#taking?.abort();
  }

  /** Takes the lease, blocking. */
  takeNow(waitMs: number | undefined): void {
    if (this.held) return;
    this.#hold(takeLeaseSync(this.#place, { waitMs, staleMs: this.#staleMs }));
    this.stopTaking();
  }

  /** Says that the lease is in use. */
  touch(): void {
    this.#isUsed = true;
  }

  /** Gives the lease back. */
  release(): void {
    if (this.#lease !== undefined) this.#drop(!this.#isSurelyKept(this.#lease));
  }

  #isSurelyKept(lease: Lease): boolean {
    try {
      return lease.isKept();
    } catch {
      return false;
    }
  }

  #drop(isLost: boolean): void {
    if (isLost) this.#lostTerms.add(this.term);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    held.delete(this);
    this.#lease?.pause();
    this.#lease = undefined;
  }

  /** Gives the lease back for good. */
  close(): void {
    this.giveUp();
    if (this.term > 0 && this.#place.isOwnFolder) removeEmptyFolder(this.#place.folder);
  }

  #hold(lease: Lease): void {
    this.#lease = lease;
    this.term += 1;
    this.#usedMs = performance.now();
    held.add(this);
    releaseAllAtExit();
    this.#tickLater();
  }

  /** One timer for both duties: give an idle lease back, keep a used one alive. */
  #tick(): void {
    const now = performance.now();
    if (this.#isUsed) this.#usedMs = now;
    this.#isUsed = false;
    if (!this.#isExclusive && now - this.#usedMs >= this.#idleMs) {
      void inSlice(() => this.#giveUpIdle());
      return;
    }
    try {
      if (!this.isKept()) return;
    } catch {
      // It could not be looked at; the next append says so.
    }
    this.#tickLater();
  }

  /** Many become idle in the same moment; by the time its turn comes it may be in use again. */
  #giveUpIdle(): void {
    if (this.#lease === undefined) return;
    if (this.#isUsed) this.#tickLater();
    else this.giveUp();
  }

  /** Gives the lease back once what is left to do under it is done. */
  giveUp(): void {
    try {
      if (this.isKept()) this.onIdle();
    } catch {
      // Anyone who takes it next does it.
    }
    this.release();
  }

  #tickLater(): void {
    const beatMs = (this.#staleMs ?? limits.leaseStaleMs) / limits.leaseBeats;
    this.#timer = setTimeout(() => this.#tick(), Math.min(this.#idleMs / 4, beatMs)).unref();
  }
}

function checkTime(
  name: keyof LeaseTimes,
  given: number | undefined,
  [least, most]: readonly [number, number],
): void {
  if (given === undefined || (given >= least && given <= most)) return;
  throw new RepriseError("bad_input", `${name} is a number from ${least} to ${most}.`);
}

function releaseAllAtExit(): void {
  if (releasesAtExit) return;
  releasesAtExit = true;
  process.once("exit", () => {
    for (const keeper of held) keeper.close();
  });
}
