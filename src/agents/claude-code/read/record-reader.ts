import type { JsonObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { readFully } from "../../../base/read-fully.ts";
import { newline } from "../../../jsonl/line.ts";
import { parseLine } from "../../../jsonl/parse-line.ts";
import { acceptsRecord } from "../record-types.ts";
import type { LinePlace, RecordIndex } from "./record-index.ts";

/** Reads records of an indexed file by their place, through one window that moves along with them. */
export class RecordReader {
  readonly #fd: number;
  readonly #index: RecordIndex;
  #window: Buffer = Buffer.alloc(0);
  #start = 0;

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
    return parseLine(this.#bytes(place), acceptsRecord).records[part];
  }

  #bytes({ offset, length }: LinePlace): Buffer {
    let from = offset - this.#start;
    if (from < 0 || from + length > this.#window.length) {
      // A live path mostly goes on in the file, so the window reads ahead.
      const wanted = Math.max(length, limits.chunkBytes);
      this.#window = readFully(this.#fd, { from: offset, length: wanted });
      this.#start = offset;
      from = 0;
    }
    const line = this.#window.subarray(from, from + length);
    return line.at(-1) === newline ? line.subarray(0, -1) : line;
  }
}
