interface Round {
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets many waiters share one data sync. A waiter is served by a sync that begins after it asked, so
 * what it wrote before asking is covered.
 */
export class GroupSync {
  readonly #sync: () => Promise<void>;
  #running: Round | undefined;
  #next: Round | undefined;

  constructor(sync: () => Promise<void>) {
    this.#sync = sync;
  }

  /** Resolves when everything written before this call is on the disk. */
  synced(): Promise<void> {
    if (this.#next === undefined) {
      this.#next = newRound();
      // One turn of the microtask queue gathers everyone who asks now; a running sync gathers the rest.
      if (this.#running === undefined) queueMicrotask(this.#begin);
    }
    return this.#next.done;
  }

  /** Resolves when no sync is under way. */
  async settled(): Promise<void> {
    await Promise.allSettled([this.#next?.done, this.#running?.done]);
  }

  readonly #begin = (): void => {
    const round = this.#next;
    if (round === undefined) return;
    this.#next = undefined;
    this.#running = round;
    this.#sync().then(
      () => {
        round.resolve();
        this.#finish();
      },
      (error: unknown) => {
        round.reject(error);
        this.#finish();
      },
    );
  };

  #finish(): void {
    this.#running = undefined;
    this.#begin();
  }
}

function newRound(): Round {
  let resolve: Round["resolve"] = () => undefined;
  let reject: Round["reject"] = () => undefined;
  const done = new Promise<void>((onDone, onFailed) => {
    resolve = onDone;
    reject = onFailed;
  });
  return { done, resolve, reject };
}
