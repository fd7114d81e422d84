import type { BlobStore, StagedBlob } from "../blobs/store.ts";
import type { SessionEvent } from "../model/event.ts";

interface Held {
  readonly staged: readonly StagedBlob[];
  readonly write: () => Promise<readonly SessionEvent[]>;
  readonly resolve: (events: Promise<readonly SessionEvent[]>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Holds lines back until the blobs they name are durable, and every later line behind them, so that
 * events keep their order and no line on the disk names content that is not.
 */
export class SpillQueue {
  readonly #blobs: BlobStore;
  readonly #held: Held[] = [];

  constructor(blobs: BlobStore) {
    this.#blobs = blobs;
  }

  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  /** Writes after everything held before, once the staged blobs are durable. */
  push(
    staged: readonly StagedBlob[],
    write: () => Promise<readonly SessionEvent[]>,
  ): Promise<readonly SessionEvent[]> {
    return new Promise((resolve, reject) => {
      this.#held.push({ staged, write, resolve, reject });
      if (this.#held.length === 1) void this.#drain();
    });
  }

  /** Resolves when everything held so far was written, or refused. */
  async emptied(): Promise<void> {
    if (!this.isEmpty) await this.push([], async () => []);
  }

  /** Blocks until everything held is written. */
  drainSync(): void {
    for (const held of this.#held.splice(0)) {
      this.#finish(held, () => this.#blobs.settleSync(held.staged));
    }
  }

  async #drain(): Promise<void> {
    for (let held = this.#held[0]; held !== undefined; held = this.#held[0]) {
      let failure: { readonly error: unknown } | undefined;
      await this.#blobs.settle(held.staged).catch((error: unknown) => {
        failure = { error };
      });
      // A blocking append may have written it in the meantime.
      if (this.#held[0] !== held) continue;
      this.#held.shift();
      this.#finish(held, () => {
        if (failure !== undefined) throw failure.error;
      });
    }
  }

  #finish(held: Held, settle: () => void): void {
    try {
      settle();
      held.resolve(held.write());
    } catch (error) {
      held.reject(error);
    }
  }
}
