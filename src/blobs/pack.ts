import { crc32 } from "node:zlib";
import type { Disk } from "../base/disk.ts";
import { errnoOf } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { readFully } from "../base/read-fully.ts";

/*
 * A pack is a file of records, each [magic 8][length 4][name 32][check 4][bytes]. It describes itself:
 * any index over it comes back by scanning. The check covers the header, so that a scan that lost its
 * way finds the next record; the bytes are proven by their name when they are read.
 */
const magic = "REPRBLB1";
const lengthAt = magic.length;
const nameAt = lengthAt + 4;
const checkAt = nameAt + 32;

/** Bytes a record takes besides its content. */
export const recordHeaderBytes = checkAt + 4;

/** Where one record's content lies in its pack. */
export interface PackEntry {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
}

/** What a scan found, and where the next scan of the same pack goes on. */
export interface PackScan {
  readonly entries: readonly PackEntry[];
  readonly end: number;
  /** Bytes between records that are none; an unfinished record at the end is not counted. */
  readonly damagedBytes: number;
}

/** Puts one record into a buffer that has room for it. */
export function writeRecord(into: Buffer, at: number, name: string, bytes: Uint8Array): void {
  into.write(magic, at, "latin1");
  into.writeUInt32LE(bytes.length, at + lengthAt);
  into.write(name, at + nameAt, "hex");
  into.writeUInt32LE(crc32(into.subarray(at, at + checkAt)), at + checkAt);
  into.set(bytes, at + recordHeaderBytes);
}

/** The records of an open pack from an offset on; an unfinished last one is left for the next scan. */
export function scanPack(disk: Disk, fd: number, from = 0): PackScan {
  const { size } = disk.sizeOf(fd);
  const header = Buffer.allocUnsafe(recordHeaderBytes);
  const entries: PackEntry[] = [];
  let at = from;
  let damagedBytes = 0;
  while (at + recordHeaderBytes <= size) {
    if (disk.read(fd, header, at) < recordHeaderBytes) break;
    const length = contentLength(header);
    if (length === undefined) {
      const next = nextMagic(fd, { from: at + 1, size });
      // Without a later record this may be a header that is being written.
      if (next === undefined) break;
      damagedBytes += next - at;
      at = next;
      continue;
    }
    const offset = at + recordHeaderBytes;
    if (offset + length > size) break;
    entries.push({ name: header.toString("hex", nameAt, checkAt), offset, length });
    at = offset + length;
  }
  return { entries, end: at, damagedBytes };
}

/** The content of one record as stored; undefined if the file ends before it does. */
export function readEntry(fd: number, entry: PackEntry): Buffer | undefined {
  const bytes = readFully(fd, { from: entry.offset, length: entry.length });
  return bytes.length === entry.length ? bytes : undefined;
}

/** Opens a file for reading; undefined if there is none. */
export function openIfThere(disk: Disk, path: string): number | undefined {
  try {
    return disk.openRead(path);
  } catch (error) {
    if (["ENOENT", "ELOOP", "ENOTDIR"].includes(errnoOf(error) ?? "")) return undefined;
    throw error;
  }
}

function contentLength(header: Buffer): number | undefined {
  if (header.toString("latin1", 0, magic.length) !== magic) return undefined;
  if (header.readUInt32LE(checkAt) !== crc32(header.subarray(0, checkAt))) return undefined;
  const length = header.readUInt32LE(lengthAt);
  return length <= limits.packedBlobBytes ? length : undefined;
}

function nextMagic(
  fd: number,
  range: { readonly from: number; readonly size: number },
): number | undefined {
  // Windows overlap, so that a magic across their border is seen.
  const step = limits.chunkBytes - (magic.length - 1);
  for (let at = range.from; at < range.size; at += step) {
    const found = readFully(fd, { from: at, length: limits.chunkBytes }).indexOf(
      magic,
      0,
      "latin1",
    );
    if (found >= 0) return at + found;
  }
  return undefined;
}
