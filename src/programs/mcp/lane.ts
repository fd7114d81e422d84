import { RepriseError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";

/** Runs work one piece after the other, so that many calls at once take no more memory than one. */
export class Lane {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Runs a piece of work after those before it; throws `too_large` if too many wait, and skips what was cancelled. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#waiting >= limits.mcpWaitingCalls)
      throw new RepriseError("too_large", "Too many calls wait already.", {
        hint: "Wait for answers before you send more.",
      });
    this.#waiting += 1;
    const turn = this.#last.then(() => {
      signal.throwIfAborted();
      return work();
    });
    this.#last = turn.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }
}
