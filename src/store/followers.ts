import type { EventId, SessionEvent } from "../model/event.ts";
import type { FollowOptions } from "./contract.ts";

/** A log that can be followed, and whose rest can be read when nothing more is to come. */
export interface Followed {
  follow(options: FollowOptions): AsyncIterable<SessionEvent>;
  rest(from: EventId): AsyncIterable<SessionEvent> | Iterable<SessionEvent>;
}

/** The followers of a session: where it continues in another log they read the old one to its end and go along. */
export class Followers {
  #current = new Round();
  #isOver = false;

  /** Events from an id on; `current` gives the log that the session is in now. */
  async *follow(
    { from, signal }: FollowOptions & { readonly from: EventId },
    current: () => Followed,
  ): AsyncGenerator<SessionEvent> {
    for (let next = from; !this.#isOver && !signal?.aborted; next = 1) {
      const round = this.#current;
      const log = current();
      round.enter();
      try {
        const ends = signal === undefined ? round.signal : AbortSignal.any([round.signal, signal]);
        for await (const event of log.follow({ from: next, signal: ends })) {
          next = event.id + 1;
          yield event;
        }
        // The store ended it.
        if (!round.signal.aborted || this.#isOver || signal?.aborted) return;
        yield* log.rest(next);
      } finally {
        round.leave();
      }
    }
  }

  /** Says that the session went on in another log; resolves when nobody needs the old one any more. */
  goOn(): Promise<void> {
    const old = this.#current;
    this.#current = new Round();
    return old.end();
  }

  /** Ends all of them. */
  stop(): void {
    this.#isOver = true;
    void this.#current.end();
  }
}

/** Those who follow one log. */
class Round {
  #ends: AbortController | undefined;
  #followers = 0;
  #left: (() => void) | undefined;

  get signal(): AbortSignal {
    this.#ends ??= new AbortController();
    return this.#ends.signal;
  }

  enter(): void {
    this.#followers += 1;
  }

  leave(): void {
    this.#followers -= 1;
    if (this.#followers === 0) this.#left?.();
  }

  async end(): Promise<void> {
    if (this.#followers === 0) return;
    this.#ends?.abort();
    await new Promise<void>((resolve) => {
      this.#left = resolve;
    });
  }
}
