import type { Synced } from "../base/disk.ts";

/**
 * Lets many waiters share one data sync. A waiter is served by a sync that begins after it asked, so
 * what it wrote before asking is covered. Waiters are called back, not promised: each promise in between
 * would cost an append more than its line does.
 */
export class GroupSync {
  readonly #sync: (done: Synced) => void;
  #running: Synced[] | undefined;
  #next: Synced[] = [];
  /** Whether the last sync served one waiter only: the next one is likely to be alone too. */
  #isLonely = false;

  constructor(sync: (done: Synced) => void) {
    this.#sync = sync;
  }

  /** Calls back when everything written before this call is on the disk. */
  whenSynced(done: Synced): void {
    this.#next.push(done);
    if (this.#next.length > 1 || this.#running !== undefined) return;
    // One turn of the microtask queue gathers everyone who asks now; a running sync gathers the rest.
    if (this.#isLonely) this.#begin();
    else queueMicrotask(this.#begin);
  }

  /** Resolves when no sync is under way. */
  async settled(): Promise<void> {
    const last = this.#next.length > 0 ? this.#next : this.#running;
    if (last !== undefined) await new Promise<void>((resolve) => last.push(() => resolve()));
  }

  readonly #begin = (): void => {
    // Anyone who was called back may have asked again before the turn of the queue came.
    if (this.#running !== undefined || this.#next.length === 0) return;
    this.#running = this.#next;
    this.#next = [];
    this.#sync(this.#finish);
  };

  readonly #finish: Synced = (error) => {
    const served = this.#running ?? [];
    this.#running = undefined;
    this.#isLonely = served.length === 1;
    for (const done of served) done(error);
    this.#begin();
  };
}
