import { limits } from "../base/limits.ts";

/**
 * The value of SQLite's binary JSON (`jsonb`), decoded here because pages of a damaged database have no functions.
 * Throws a `RangeError` if the bytes are none.
 */
export function decodeJsonb(bytes: Uint8Array): unknown {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { value, end } = element(buffer, 0, 0);
  if (end !== buffer.length) throw new RangeError("bytes behind the value");
  return value;
}

interface Decoded {
  readonly value: unknown;
  readonly end: number;
}

function element(bytes: Buffer, at: number, depth: number): Decoded {
  if (depth > limits.depth * 4) throw new RangeError("nested too deeply");
  const head = bytes.readUInt8(at);
  const { start, size } = payloadAt(bytes, at + 1, head >> 4);
  const end = start + size;
  if (end > bytes.length) throw new RangeError("cut");
  const text = (): string => bytes.toString("utf8", start, end);
  switch (head & 15) {
    case 0:
      return { value: null, end };
    case 1:
      return { value: true, end };
    case 2:
      return { value: false, end };
    case 3:
    case 4:
    case 5:
    case 6:
      return { value: numberOf(text()), end };
    case 7:
    case 10:
      return { value: text(), end };
    case 8:
    case 9:
      return { value: unescaped(text()), end };
    case 11:
      return { value: [...elements(bytes, { start, end }, depth + 1)], end };
    case 12:
      return { value: objectOf([...elements(bytes, { start, end }, depth + 1)]), end };
    default:
      throw new RangeError("a type that is not known");
  }
}

/** The size of a payload: in the first four bits, or in the 1, 2, 4 or 8 bytes behind them. */
function payloadAt(
  bytes: Buffer,
  at: number,
  code: number,
): { readonly start: number; readonly size: number } {
  if (code < 12) return { start: at, size: code };
  if (code === 12) return { start: at + 1, size: bytes.readUInt8(at) };
  if (code === 13) return { start: at + 2, size: bytes.readUInt16BE(at) };
  if (code === 14) return { start: at + 4, size: bytes.readUInt32BE(at) };
  return { start: at + 8, size: Number(bytes.readBigUInt64BE(at)) };
}

function* elements(
  bytes: Buffer,
  span: { readonly start: number; readonly end: number },
  depth: number,
): Generator<unknown> {
  let at = span.start;
  while (at < span.end) {
    const { value, end } = element(bytes, at, depth);
    yield value;
    at = end;
  }
  if (at !== span.end) throw new RangeError("a list that does not end where it says");
}

function objectOf(items: readonly unknown[]): object {
  const entries: [string, unknown][] = [];
  for (let index = 0; index + 1 < items.length; index += 2)
    entries.push([String(items[index]), items[index + 1]]);
  return Object.fromEntries(entries);
}

function numberOf(text: string): number {
  const value = Number(text.replace(/^([+-]?)\./, "$10."));
  if (Number.isNaN(value)) throw new RangeError("not a number");
  return value;
}

/** Escapes of JSON; of JSON5, which SQLite keeps as they were written, what is not JSON's stays. */
function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}
