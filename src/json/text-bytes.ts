/** The most bytes a character takes. */
const mostBytes = { utf8: 3, latin1: 1 } as const;

/** Gathers the bytes of texts, one behind the other, in room that is used again. */
export class TextBytes {
  #room = Buffer.allocUnsafeSlow(256 * 1024);
  #at = 0;

  /** Adds a text; returns how many bytes it took. */
  add(text: string, encoding: keyof typeof mostBytes = "utf8"): number {
    const wanted = this.#at + text.length * mostBytes[encoding];
    if (wanted > this.#room.length) {
      const larger = Buffer.allocUnsafeSlow(wanted * 2);
      this.#room.copy(larger, 0, 0, this.#at);
      this.#room = larger;
    }
    const taken = this.#room.write(text, this.#at, encoding);
    this.#at += taken;
    return taken;
  }

  /** What was added since it was taken last, in memory of its own. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = Buffer.allocUnsafeSlow(this.#at);
    this.#room.copy(bytes, 0, 0, this.#at);
    this.#at = 0;
    return bytes;
  }
}
