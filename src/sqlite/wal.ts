import { closeSync, fstatSync, readSync } from "node:fs";
import { limits } from "../base/limits.ts";
import { openForReading } from "../base/open-file.ts";

/** One frame of a write-ahead log: a page as a transaction left it. */
export interface WalFrame {
  /** Where the page's bytes begin in the log. */
  readonly offset: number;
  readonly page: number;
  /** Pages of the database after the transaction; 0 where the frame does not end one. */
  readonly commitPages: number;
  /** Whether salt and checksum hold, given the checksum of the frame before. */
  readonly good: boolean;
}

/** What a write-ahead log holds, also beyond the place where SQLite stops reading it. */
export interface WalReport {
  readonly pageSize: number;
  readonly frames: readonly WalFrame[];
  /** Offset of the first frame SQLite would refuse although committed frames follow it. */
  readonly brokenAt?: number;
  /** Bytes after the last committed frame that belong to the same generation of the log. */
  readonly unfinishedBytes: number;
}

const headerBytes = 32;
const frameHeaderBytes = 24;
const magicLittle = 0x377f0682;
const magicBig = 0x377f0683;

interface Generation {
  readonly pageSize: number;
  readonly bigEndian: boolean;
  readonly salt: readonly [number, number];
  readonly seed: readonly [number, number];
  readonly headerGood: boolean;
}

/**
 * Checks every frame of a write-ahead log. The checksums form a chain, but each link can be checked
 * from the stored checksum before it, so what lies behind a damaged frame is still told good from bad.
 */
export function inspectWal(
  path: string,
  options: { readonly pageSize?: number } = {},
): WalReport | undefined {
  const fd = openForReading(path);
  try {
    const size = fstatSync(fd).size;
    if (size < headerBytes + frameHeaderBytes || size > limits.walInspectBytes) return undefined;
    const generation = readGeneration(fd, options.pageSize);
    return generation === undefined ? undefined : inspectFrames(fd, size, generation);
  } finally {
    closeSync(fd);
  }
}

function readGeneration(fd: number, knownPageSize: number | undefined): Generation | undefined {
  const head = Buffer.alloc(headerBytes + frameHeaderBytes);
  readSync(fd, head, 0, head.length, 0);
  const magic = head.readUInt32BE(0);
  const bigEndian = magic === magicBig;
  const sum = checksum(head.subarray(0, 24), bigEndian, [0, 0]);
  const seed = [head.readUInt32BE(24), head.readUInt32BE(28)] as const;
  const headerGood =
    (magic === magicLittle || bigEndian) && sum[0] === seed[0] && sum[1] === seed[1];
  const stated = head.readUInt32BE(8);
  const pageSize = headerGood || isPageSize(stated) ? stated : (knownPageSize ?? 4096);
  if (!isPageSize(pageSize)) return undefined;
  // Where the header is damaged, the first frame repeats the salts.
  const saltAt = headerGood ? 16 : headerBytes + 8;
  const salt = [head.readUInt32BE(saltAt), head.readUInt32BE(saltAt + 4)] as const;
  return { pageSize, bigEndian, salt, seed, headerGood };
}

function inspectFrames(fd: number, size: number, generation: Generation): WalReport {
  const { pageSize, bigEndian, salt } = generation;
  const stride = frameHeaderBytes + pageSize;
  const buffer = Buffer.allocUnsafe(stride * Math.max(1, Math.floor(limits.chunkBytes / stride)));
  const frames: WalFrame[] = [];
  let previous = generation.seed;
  let firstBad: number | undefined = generation.headerGood ? undefined : 0;
  let lastCommit = -1;
  let sameGeneration = headerBytes;
  let offset = headerBytes;
  while (offset + stride <= size) {
    const taken = readSync(fd, buffer, 0, buffer.length, offset);
    const whole = Math.floor(taken / stride);
    if (whole === 0) break;
    for (let index = 0; index < whole; index += 1) {
      const frame = buffer.subarray(index * stride, (index + 1) * stride);
      const at = offset + index * stride;
      const ours = frame.readUInt32BE(8) === salt[0] && frame.readUInt32BE(12) === salt[1];
      const stored = [frame.readUInt32BE(16), frame.readUInt32BE(20)] as const;
      let sum = ours ? checksum(frame.subarray(0, 8), bigEndian, previous) : previous;
      if (ours) sum = checksum(frame.subarray(frameHeaderBytes), bigEndian, sum);
      const good = ours && sum[0] === stored[0] && sum[1] === stored[1];
      const commitPages = frame.readUInt32BE(4);
      if (good && commitPages > 0) lastCommit = frames.length;
      if (!good) firstBad ??= frames.length;
      if (ours) sameGeneration = at + stride;
      frames.push({
        offset: at + frameHeaderBytes,
        page: frame.readUInt32BE(0),
        commitPages,
        good,
      });
      previous = stored;
    }
    offset += whole * stride;
  }
  const committedEnd = headerBytes + (lastCommit + 1) * stride;
  const atEndOfFile = sameGeneration + stride > size;
  return {
    pageSize,
    frames: frames.slice(0, lastCommit + 1),
    ...(firstBad !== undefined && firstBad <= lastCommit
      ? { brokenAt: headerBytes + firstBad * stride }
      : {}),
    unfinishedBytes: atEndOfFile ? size - committedEnd : Math.max(0, sameGeneration - committedEnd),
  };
}

/** SQLite's checksum over a multiple of 8 bytes, going on from `seed`. */
export function checksum(
  bytes: Buffer,
  bigEndian: boolean,
  seed: readonly [number, number],
): readonly [number, number] {
  let [first, second] = seed;
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    const left = bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
    const right = bigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4);
    first = (first + left + second) >>> 0;
    second = (second + right + first) >>> 0;
  }
  return [first, second];
}

/** Whether a number can be the size of an SQLite page. */
export function isPageSize(size: number): boolean {
  return size >= 512 && size <= 65_536 && (size & (size - 1)) === 0;
}
