import { type Lease, takeLease, takeLeaseSync } from "../base/lease.ts";
import { limits } from "../base/limits.ts";

const held = new Set<LeaseKeeper>();
let releasesAtExit = false;

/**
 * Holds the lease of one session while it is written to: taken at the first append, kept alive while
 * in use, given back after a pause, on request, and when the process ends in an orderly way.
 */
export class LeaseKeeper {
  readonly #folder: string;
  readonly #name: string;
  #lease: Lease | undefined;
  #taking: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Whether it was used since the last tick: setting it costs an append nothing, reading the clock would. */
  #isUsed = false;
  #usedMs = 0;
  #beatMs = 0;
  /** Counts the times the lease was taken: what was known before belongs to another term. */
  term = 0;

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#name = name;
  }

  get held(): boolean {
    return this.#lease !== undefined;
  }

  /** Takes the lease without blocking; returns at once where it is held. */
  async take(waitMs: number | undefined): Promise<void> {
    if (this.#lease !== undefined) return;
    const taking = new AbortController();
    this.#taking = taking;
    try {
      await takeLease(this.#folder, this.#name, {
        waitMs,
        signal: taking.signal,
        // Held at once: a blocking append may come before the promise is looked at.
        onTaken: (lease) => this.#hold(lease),
      });
    } catch (error) {
      // A blocking append took the lease while this one waited for it.
      if (this.#lease === undefined) throw error;
    } finally {
      this.#taking = undefined;
    }
  }

  /** Takes the lease, blocking. */
  takeNow(waitMs: number | undefined): void {
    if (this.#lease !== undefined) return;
    this.#hold(takeLeaseSync(this.#folder, this.#name, { waitMs }));
    this.#taking?.abort();
  }

  /** Says that the lease is in use. */
  touch(): void {
    this.#isUsed = true;
  }

  /** Gives the lease back. */
  release(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    held.delete(this);
    this.#lease?.release();
    this.#lease = undefined;
  }

  #hold(lease: Lease): void {
    this.#lease = lease;
    this.term += 1;
    this.#usedMs = this.#beatMs = performance.now();
    held.add(this);
    releaseAllAtExit();
    this.#tickLater();
  }

  /** One timer for both duties: give an idle lease back, keep a used one alive. */
  #tick(): void {
    const now = performance.now();
    if (this.#isUsed) this.#usedMs = now;
    this.#isUsed = false;
    if (now - this.#usedMs >= limits.leaseIdleMs) {
      this.release();
      return;
    }
    if (now - this.#beatMs >= limits.leaseHeartbeatMs) {
      this.#lease?.beat();
      this.#beatMs = now;
    }
    this.#tickLater();
  }

  #tickLater(): void {
    this.#timer = setTimeout(() => this.#tick(), limits.leaseIdleMs / 4).unref();
  }
}

function releaseAllAtExit(): void {
  if (releasesAtExit) return;
  releasesAtExit = true;
  process.once("exit", () => {
    for (const keeper of held) keeper.release();
  });
}
