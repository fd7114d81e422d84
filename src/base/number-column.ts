type Numbers = Uint16Array | Uint32Array | Int32Array | Float64Array;

const pageBits = 12;
const pageLength = 1 << pageBits;

/** A list of numbers in typed pages: it grows without copying, so that no old copy waits in memory. */
export class Column {
  readonly #make: (length: number) => Numbers;
  readonly #pages: Numbers[] = [];

  constructor(make: (length: number) => Numbers) {
    this.#make = make;
  }

  get(at: number): number {
    return this.#pages[at >>> pageBits]?.[at & (pageLength - 1)] ?? 0;
  }

  set(at: number, value: number): void {
    const page = at >>> pageBits;
    let numbers = this.#pages[page];
    if (numbers === undefined) {
      numbers = this.#make(pageLength);
      this.#pages[page] = numbers;
    }
    numbers[at & (pageLength - 1)] = value;
  }
}

/** A column of small counts and flags. */
export function smallColumn(): Column {
  return new Column((length) => new Uint16Array(length));
}

/** A column of lines. */
export function wideColumn(): Column {
  return new Column((length) => new Uint32Array(length));
}

/** A column of byte offsets and keys. */
export function doubleColumn(): Column {
  return new Column((length) => new Float64Array(length));
}

/** A column of references, which may be negative. */
export function signedColumn(): Column {
  return new Column((length) => new Int32Array(length));
}
