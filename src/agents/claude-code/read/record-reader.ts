import { readSync } from "node:fs";
import type { JsonObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { parseLine } from "../../../jsonl/parse-line.ts";
import { acceptsRecord } from "../record-types.ts";
import type { LinePlace, RecordIndex } from "./record-index.ts";

/** Reads records of an indexed file by their place, through one window that moves along with them. */
export class RecordReader {
  readonly #fd: number;
  readonly #index: RecordIndex;
  #window = Buffer.alloc(0);
  #start = 0;
  #filled = 0;

  constructor(fd: number, index: RecordIndex) {
    this.#fd = fd;
    this.#index = index;
  }

  /** The record, parsed; undefined where the file has changed meanwhile. */
  record(record: number): JsonObject | undefined {
    return this.#parsed(this.#index.placeOf(record), this.#index.parts.get(record) ?? 0);
  }

  /** The record of a line that holds nothing else. */
  line(place: LinePlace): JsonObject | undefined {
    return this.#parsed(place, 0);
  }

  #parsed(place: LinePlace, part: number): JsonObject | undefined {
    const kept = part === 0 ? this.#index.kept?.get(place.offset) : undefined;
    return kept ?? parseLine(this.#bytes(place), acceptsRecord).records[part];
  }

  #bytes(place: LinePlace): Buffer {
    const { offset, length } = place;
    if (offset < this.#start || offset + length > this.#start + this.#filled) {
      if (this.#window.length < length || this.#window.length === 0) {
        this.#window = Buffer.allocUnsafe(Math.max(length, limits.chunkBytes));
      }
      this.#start = offset;
      this.#filled = 0;
      // A live path mostly goes on in the file, so the window reads ahead; a short file ends it.
      while (this.#filled < this.#window.length) {
        const room = this.#window.length - this.#filled;
        const taken = readSync(this.#fd, this.#window, this.#filled, room, offset + this.#filled);
        if (taken === 0) break;
        this.#filled += taken;
      }
    }
    const from = offset - this.#start;
    const line = this.#window.subarray(from, Math.min(from + length, this.#filled));
    return line.at(-1) === 0x0a ? line.subarray(0, -1) : line;
  }
}
