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

/** Whether a line holds nothing but blanks. */
export function isBlank(bytes: Uint8Array): boolean {
  for (const byte of bytes) {
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d && byte !== newline) return false;
  }
  return true;
}
