import { limits } from "../../../base/limits.ts";

/** Keeps the beginning and the end of what a command prints, however much that is. */
export class OutputWindow {
  readonly #half = Math.floor((limits.toolResultChars - 1_000) / 2);
  readonly #decoder = new TextDecoder();
  #head = "";
  #tail = "";
  #leftOutChars = 0;
  bytes = 0;

  add(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    const text = this.#decoder.decode(chunk, { stream: true });
    const room = this.#half - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail += text.slice(Math.max(0, room));
    // Cut seldom: each cut copies what is kept.
    if (this.#tail.length > 4 * this.#half) this.#cut();
  }

  text(): string {
    this.#cut();
    if (this.#leftOutChars === 0) return (this.#head + this.#tail).toWellFormed();
    const gone = `\n… ${this.#leftOutChars} characters left out …\n`;
    return `${this.#head.toWellFormed()}${gone}${this.#tail.toWellFormed()}`;
  }

  #cut(): void {
    const over = this.#tail.length - this.#half;
    if (over <= 0) return;
    this.#leftOutChars += over;
    this.#tail = this.#tail.slice(over);
  }
}
