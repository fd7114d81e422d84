import { createHash } from "node:crypto";

const valid = /^[A-Za-z0-9_-]{1,40}$/;

/** Gives every call an id that all APIs take; the same id gives the same one again, so conversions are stable. */
export class CallIds {
  readonly #used = new Map<string, string>();

  of(call: string): string {
    if (valid.test(call)) return call;
    const known = this.#used.get(call);
    if (known !== undefined) return known;
    const made = `call_${createHash("sha256").update(call).digest("hex").slice(0, 24)}`;
    this.#used.set(call, made);
    return made;
  }
}
