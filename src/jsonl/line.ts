/** One line of a file. `bytes` is a view into a reused buffer: valid until the next line is asked for. */
export interface Line {
  readonly offset: number;
  /** Without the newline. Empty where the line is too long to hold. */
  readonly bytes: Buffer;
  /** All bytes of the line on disk, the newline included. */
  readonly length: number;
  /** Whether a newline ended it; false only for the last line of the file. */
  readonly complete: boolean;
  readonly tooLong: boolean;
}

export const newline = 0x0a;

/** A line that was read whole; told as too long where it is over the limit, however it was read. */
export function lineOf(
  offset: number,
  bytes: Buffer,
  options: { readonly complete: boolean; readonly maxLineBytes: number },
): Line {
  const { complete, maxLineBytes } = options;
  const length = bytes.length + (complete ? 1 : 0);
  if (bytes.length > maxLineBytes) return tooLongLine(offset, { length, complete });
  return { offset, bytes, length, complete, tooLong: false };
}

/** A line that is reported but not held. */
export function tooLongLine(
  offset: number,
  size: { readonly length: number; readonly complete: boolean },
): Line {
  return { offset, bytes: Buffer.alloc(0), ...size, tooLong: true };
}

/** Whether a line holds nothing but blanks. */
export function isBlank(bytes: Uint8Array): boolean {
  for (const byte of bytes) {
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d && byte !== newline) return false;
  }
  return true;
}
