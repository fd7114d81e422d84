import { randomBytes } from "node:crypto";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const mask = (1n << 48n) - 1n;

/** Ids as the program makes them: time and a counter in hex, then random letters; newer sessions sort first. */
export class IdMaker {
  #counter = 0n;
  #lastMs = 0;

  session(ms: number): string {
    return this.#make("ses", ms, true);
  }

  message(ms: number): string {
    return this.#make("msg", ms, false);
  }

  part(ms: number): string {
    return this.#make("prt", ms, false);
  }

  #make(prefix: string, ms: number, descending: boolean): string {
    this.#counter = ms === this.#lastMs ? this.#counter + 1n : 1n;
    this.#lastMs = ms;
    const value = BigInt(ms) * 4096n + this.#counter;
    const hex = ((descending ? ~value : value) & mask).toString(16).padStart(12, "0");
    const random = [...randomBytes(14)].map((byte) => digits[byte % digits.length]).join("");
    return `${prefix}_${hex}${random}`;
  }
}
