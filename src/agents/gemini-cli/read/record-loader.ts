import type { ByteWindow } from "../../../base/byte-window.ts";
import { type JsonObject, parseObject } from "../../../base/json.ts";
import type { Place } from "./message-index.ts";

/** The object in some bytes, a byte order mark passed over; undefined where it is not whole. */
export function objectIn(bytes: Buffer): JsonObject | undefined {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return parseObject(bytes.toString("utf8", hasMark ? 3 : 0));
}

/** Reads records again by their place; versions with equal bytes are parsed once. */
export class Loader {
  readonly #window: ByteWindow;
  #bytes: Buffer | undefined;
  #record: JsonObject | undefined;

  constructor(window: ByteWindow) {
    this.#window = window;
  }

  /** The record at a place, or undefined where the file changed under the reader. */
  load(place: Pick<Place, "offset" | "length">): JsonObject | undefined {
    const bytes = this.#window.range(place.offset, place.length);
    if (this.#bytes?.equals(bytes)) return this.#record;
    this.#bytes = bytes;
    this.#record = objectIn(bytes);
    return this.#record;
  }
}
