/**
 * Lets many waiters share one data sync. A waiter is served by a sync that begins after it asked, so
 * what it wrote before asking is covered.
 */
export class GroupSync {
  readonly #sync: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(sync: () => Promise<void>) {
    this.#sync = sync;
  }

  /** Resolves when everything written before this call is on the disk. */
  synced(): Promise<void> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  /** Resolves when no sync is under way. */
  async settled(): Promise<void> {
    await Promise.allSettled([this.#next, this.#running]);
  }

  async #begin(): Promise<void> {
    // One turn of the microtask queue gathers everyone who asks now; a running sync gathers the rest.
    await this.#running?.catch(() => undefined);
    await undefined;
    this.#next = undefined;
    this.#running = this.#sync();
    await this.#running;
  }
}
