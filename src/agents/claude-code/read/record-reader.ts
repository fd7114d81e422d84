import type { JsonObject } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import { readFully } from "../../../base/read-fully.ts";
import { newline } from "../../../jsonl/line.ts";
import { parseLine } from "../../../jsonl/parse-line.ts";
import { acceptsRecord } from "../record-types.ts";
import type { LinePlace, RecordIndex } from "./record-index.ts";

type Span = Pick<LinePlace, "offset" | "length">;

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

  /** The record, parsed; undefined if the file has changed meanwhile. */
  record(record: number): JsonObject | undefined {
    const place = this.#index.placeOf(record);
    const part = this.#index.parts.get(record);
    if (part === undefined) return this.#parsed(place);
    // Alone, and not with all that it is glued to: as many may be on its line as the line has room for.
    return this.#parsed({ offset: place.offset + part.start, length: part.end - part.start });
  }

  /** The record of a line that holds nothing else. */
  line(place: LinePlace): JsonObject | undefined {
    return this.#parsed(place);
  }

  #parsed(span: Span): JsonObject | undefined {
    return parseLine(this.#bytes(span), acceptsRecord).records[0];
  }

  #bytes({ offset, length }: Span): Buffer {
    let from = offset - this.#start;
    if (from < 0 || from + length > this.#window.length) {
      // A live path mostly continues in the file, so the window reads ahead.
      const wanted = Math.max(length, limits.chunkBytes);
      this.#window = readFully(this.#fd, { from: offset, length: wanted });
      this.#start = offset;
      from = 0;
    }
    const line = this.#window.subarray(from, from + length);
    return line.at(-1) === newline ? line.subarray(0, -1) : line;
  }
}
