import { createHash } from "node:crypto";

const valid = /^[A-Za-z0-9_-]{1,40}$/;

/**
 * Gives every call an id that all APIs take and no other call of the conversation has. The same
 * conversation gives the same ids again, and ids that are sound stay as they are.
 */
export class CallIds {
  readonly #taken = new Set<string>();
  /** How often an id was asked for that could not stay as it is. */
  readonly #again = new Map<string, number>();

  forCall(call: string): string {
    if (valid.test(call) && !this.#taken.has(call)) return this.#take(call);
    for (;;) {
      const attempt = (this.#again.get(call) ?? 0) + 1;
      this.#again.set(call, attempt);
      const id = madeFrom(attempt === 1 ? call : `${call}\0${attempt}`);
      if (!this.#taken.has(id)) return this.#take(id);
    }
  }

  #take(id: string): string {
    this.#taken.add(id);
    return id;
  }
}

function madeFrom(text: string): string {
  return `call_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
}
