import { limits } from "../../../base/limits.ts";

/** Something Python put into a value that JSON has no word for; nothing it names is ever loaded or called. */
export interface Extension {
  readonly extension: number;
  /** What its payload says, decoded where it is msgpack itself. */
  readonly value: unknown;
}

/** Whether a decoded value is an extension. */
export function isExtension(value: unknown): value is Extension {
  return value instanceof DecodedExtension;
}

class DecodedExtension implements Extension {
  readonly extension: number;
  readonly value: unknown;

  constructor(extension: number, value: unknown) {
    this.extension = extension;
    this.value = value;
  }
}

/** The value that bytes of msgpack hold; throws a `RangeError` where they hold none, or one that is too deep or heavy. */
export function decodeMsgpack(bytes: Uint8Array): unknown {
  const reader = new Reader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
    left: limits.parsedWeight,
  });
  const value = reader.value(0);
  if (!reader.isAtEnd) throw new RangeError("bytes behind the value");
  return value;
}

/** What one document may still hold, extensions inside it included. */
interface Budget {
  left: number;
}

class Reader {
  readonly #bytes: Buffer;
  readonly #budget: Budget;
  #at = 0;

  constructor(bytes: Buffer, budget: Budget) {
    this.#bytes = bytes;
    this.#budget = budget;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  value(depth: number): unknown {
    this.#budget.left -= 1;
    if (depth > limits.depth || this.#budget.left < 0) throw new RangeError("too deep or heavy");
    const type = this.#uint(1);
    if (type <= 0x7f) return type;
    if (type >= 0xe0) return type - 0x100;
    if (type <= 0x8f) return this.#map(type & 0x0f, depth);
    if (type <= 0x9f) return this.#list(type & 0x0f, depth);
    if (type <= 0xbf) return this.#text(type & 0x1f);
    return this.#long(type, depth);
  }

  #long(type: number, depth: number): unknown {
    switch (type) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return new Uint8Array(this.#take(this.#uint(1 << (type - 0xc4))));
      case 0xc7:
      case 0xc8:
      case 0xc9:
        return this.#extension(this.#uint(1 << (type - 0xc7)), depth);
      case 0xca:
        return this.#take(4).readFloatBE(0);
      case 0xcb:
        return this.#take(8).readDoubleBE(0);
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#uint(1 << (type - 0xcc));
      case 0xcf:
        return plain(this.#take(8).readBigUInt64BE(0));
      case 0xd0:
      case 0xd1:
      case 0xd2:
        return this.#take(1 << (type - 0xd0)).readIntBE(0, 1 << (type - 0xd0));
      case 0xd3:
        return plain(this.#take(8).readBigInt64BE(0));
      case 0xd4:
      case 0xd5:
      case 0xd6:
      case 0xd7:
      case 0xd8:
        return this.#extension(1 << (type - 0xd4), depth);
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#uint(1 << (type - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.#list(this.#uint(2 << (type - 0xdc)), depth);
      case 0xde:
      case 0xdf:
        return this.#map(this.#uint(2 << (type - 0xde)), depth);
      default:
        throw new RangeError(`no msgpack: ${type}`);
    }
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError("the bytes end early");
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  #uint(length: number): number {
    return this.#take(length).readUIntBE(0, length);
  }

  #text(length: number): string {
    return this.#take(length).toString("utf8");
  }

  #list(length: number, depth: number): readonly unknown[] {
    const items: unknown[] = [];
    for (let index = 0; index < length; index += 1) items.push(this.value(depth + 1));
    return items;
  }

  #map(length: number, depth: number): Readonly<Record<string, unknown>> {
    const entries: [string, unknown][] = [];
    for (let index = 0; index < length; index += 1) {
      const key = this.value(depth + 1);
      entries.push([
        typeof key === "string" ? key : JSON.stringify(key ?? null),
        this.value(depth + 1),
      ]);
    }
    // Not by assignment: a key may be `__proto__`.
    return Object.fromEntries(entries);
  }

  #extension(length: number, depth: number): Extension {
    const code = this.#take(1).readInt8(0);
    const payload = this.#take(length);
    const inner = new Reader(payload, this.#budget);
    try {
      const value = inner.value(depth + 1);
      if (inner.isAtEnd) return new DecodedExtension(code, value);
    } catch (error) {
      if (!(error instanceof RangeError) || this.#budget.left < 0) throw error;
    }
    return new DecodedExtension(code, new Uint8Array(payload));
  }
}

function plain(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}
