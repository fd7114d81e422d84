import { readSync } from "node:fs";
import { limits } from "./limits.ts";
import { readInto } from "./read-fully.ts";

/** Random access to a file through one chunk that moves along; nearby reads cost no system call. */
export class ByteWindow {
  readonly fd: number;
  readonly end: number;
  #chunk = Buffer.alloc(0);
  #start = 0;
  #spare = Buffer.alloc(0);

  constructor(fd: number, end: number) {
    this.fd = fd;
    this.end = end;
  }

  /** The bytes from a position on: at least one, as many as the chunk holds; empty at the end. */
  from(position: number): Buffer {
    const inside = position - this.#start;
    if (inside >= 0 && inside < this.#chunk.length) return this.#chunk.subarray(inside);
    if (this.#spare.length === 0) this.#spare = Buffer.allocUnsafe(limits.chunkBytes);
    const wanted = Math.max(0, Math.min(this.#spare.length, this.end - position));
    const taken = wanted === 0 ? 0 : readSync(this.fd, this.#spare, 0, wanted, position);
    this.#chunk = this.#spare.subarray(0, taken);
    this.#start = position;
    return this.#chunk;
  }

  /** A copy of a range; shorter where the file ends. */
  range(offset: number, length: number): Buffer {
    const size = Math.max(0, Math.min(length, this.end - offset));
    const inside = offset - this.#start;
    // Only a reader that goes on moves the chunk; one that looks back reads just what it asked for.
    const goesOn = inside >= 0 && inside < this.#chunk.length + limits.chunkBytes;
    const held = goesOn ? this.from(offset) : Buffer.alloc(0);
    if (held.length >= size) return Buffer.from(held.subarray(0, size));
    const copy = Buffer.allocUnsafe(size);
    const kept = held.copy(copy, 0);
    return copy.subarray(0, kept + readInto(this.fd, copy.subarray(kept), offset + kept));
  }
}
