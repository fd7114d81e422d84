import type { ByteWindow } from "../../../base/byte-window.ts";

/** A frame of a zstd file, as its headers describe it (RFC 8878); nothing of it was decoded. */
export interface ZstdFrame {
  readonly from: number;
  /** Right behind it; the end of the file where it is cut short. */
  readonly end: number;
  /** What a decoder holds of what it decoded. */
  readonly windowBytes: number;
  /** It decodes to no less than this, and to no more than that. */
  readonly leastBytes: number;
  readonly mostBytes: number;
}

const frameMagic = 0xfd2fb528;
const skippableMagic = 0x184d2a50;
const skippableHeader = 8;
/** Magic number, descriptor, window, dictionary, size. */
const longestHeader = 18;
const blockHeader = 3;
const blockBytes = 128 * 1024;
const checksumBytes = 4;

/** The frames of a file in order, those to be skipped left out; ends where something else begins. */
export function* zstdFrames(file: ByteWindow): Generator<ZstdFrame> {
  for (let at = 0; at < file.end; ) {
    const header = file.range(at, longestHeader);
    const magic = header.length < 4 ? 0 : header.readUInt32LE(0);
    if (magic === frameMagic) {
      const frame = frameAt(file, at, header);
      yield frame;
      at = frame.end;
    } else if ((magic & 0xfffffff0) >>> 0 === skippableMagic && header.length >= skippableHeader) {
      at += skippableHeader + header.readUInt32LE(4);
    } else return;
  }
}

function frameAt(file: ByteWindow, from: number, header: Buffer): ZstdFrame {
  const { windowBytes, headerBytes, hasChecksum } = describe(header);
  let leastBytes = 0;
  let mostBytes = 0;
  let at = from + headerBytes;
  for (let isLast = false; !isLast; ) {
    const block = file.range(at, blockHeader);
    if (block.length < blockHeader) break;
    const bits = block.readUIntLE(0, blockHeader);
    isLast = (bits & 1) === 1;
    const kind = (bits >> 1) & 3;
    const size = bits >> 3;
    // Blocks as they are and repeated bytes tell what they decode to, compressed ones only what they take here.
    const isCompressed = kind === 2;
    leastBytes += isCompressed ? 0 : size;
    mostBytes += isCompressed ? blockBytes : size;
    at += blockHeader + (kind === 1 ? 1 : size);
  }
  const end = Math.min(at + (hasChecksum ? checksumBytes : 0), file.end);
  return { from, end, windowBytes, leastBytes, mostBytes };
}

function describe(header: Buffer): {
  readonly windowBytes: number;
  readonly headerBytes: number;
  readonly hasChecksum: boolean;
} {
  const descriptor = header[4] ?? 0;
  const isSingle = (descriptor & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 ? Number(isSingle) : 2 ** sizeFlag;
  const sizeAt = 5 + (isSingle ? 0 : 1) + dictionaryBytes;
  return {
    windowBytes: isSingle ? sizeIn(header, sizeAt, sizeBytes) : windowOf(header[5] ?? 0),
    headerBytes: sizeAt + sizeBytes,
    hasChecksum: (descriptor & 4) !== 0,
  };
}

function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

function sizeIn(header: Buffer, at: number, bytes: number): number {
  if (header.length < at + bytes) return 0;
  if (bytes === 8) return Number(header.readBigUInt64LE(at));
  return header.readUIntLE(at, bytes) + (bytes === 2 ? 256 : 0);
}
