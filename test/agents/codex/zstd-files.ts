/** Files of zstd made by hand (RFC 8878): frames whose headers say what a test wants them to say. */

/** A frame with a window of 2^log bytes around blocks. */
export function frame(blocks: readonly Buffer[], { windowLog = 20 } = {}): Buffer {
  const descriptor = 0;
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, descriptor, (windowLog - 10) << 3]);
  return Buffer.concat([head, ...blocks]);
}

/** A frame that is skipped by every decoder. */
export function skippable(content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(0x184d2a53, 0);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
}

/** Blocks that hold bytes as they are. */
export function rawBlocks(bytes: Buffer, { size = 100_000 } = {}): readonly Buffer[] {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += size) {
    const part = bytes.subarray(at, at + size);
    blocks.push(block(0, part.length, { last: at + size >= bytes.length, content: part }));
  }
  return blocks;
}

/** One byte, so many times. */
export function repeated(byte: number, times: number, { last = false } = {}): Buffer {
  return block(1, times, { last, content: Buffer.from([byte]) });
}

/** The same in a compressed block, whose header does not say what it decodes to. */
export function packed(byte: number, times: number, { last = false } = {}): Buffer {
  // Literals that repeat one byte, their number in twenty bits, and no sequence.
  const head = 1 | (3 << 2) | (times << 4);
  const content = Buffer.from([head & 0xff, (head >> 8) & 0xff, (head >> 16) & 0xff, byte, 0]);
  return block(2, content.length, { last, content });
}

function block(
  kind: number,
  size: number,
  { last, content }: { readonly last: boolean; readonly content: Buffer },
): Buffer {
  const head = Buffer.alloc(3);
  head.writeUIntLE(Number(last) | (kind << 1) | (size << 3), 0, 3);
  return Buffer.concat([head, content]);
}
