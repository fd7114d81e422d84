import type { ByteWindow } from "../../../base/byte-window.ts";
import { type JsonObject, parseObjectBytes } from "../../../base/json.ts";
import type { Place } from "./message-index.ts";

/** Reads records again by their place; versions with equal bytes are parsed once. */
export class RecordLoader {
  readonly #window: ByteWindow;
  #bytes: Buffer | undefined;
  #record: JsonObject | undefined;

  constructor(window: ByteWindow) {
    this.#window = window;
  }

  /** The record at a place, or undefined if the file changed under the reader. */
  load(place: Pick<Place, "offset" | "length">): JsonObject | undefined {
    const bytes = this.#window.range(place.offset, place.length);
    if (this.#bytes?.equals(bytes)) return this.#record;
    this.#bytes = bytes;
    this.#record = parseObjectBytes(bytes);
    return this.#record;
  }
}
