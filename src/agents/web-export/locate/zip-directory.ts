import { fstatSync } from "node:fs";
import { ByteWindow } from "../../../base/byte-window.ts";
import { RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { readFully } from "../../../base/read-fully.ts";

/** A file in an archive. Its name is only looked at: it never becomes a path. */
export interface ZipEntry {
  readonly name: string;
  /** 0 as it is, 8 deflated. */
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly crc: number;
  readonly packedBytes: number;
  readonly headerAt: number;
}

const endMark = 0x06054b50;
const end64Mark = 0x06064b50;
const locator64Mark = 0x07064b50;
const entryMark = 0x02014b50;
const endBytes = 22;
const mostCommentBytes = 65_535;
const full = 0xffffffff;

/** Whether a file begins as an archive does. */
export function isZip(fd: number): boolean {
  const first = readFully(fd, { from: 0, length: 4 });
  return (
    first.length === 4 &&
    (first.readUInt32LE(0) === 0x04034b50 || first.readUInt32LE(0) === endMark)
  );
}

/** The files that an archive's directory names; none if it has no directory that can be read. */
export function entriesOfZip(fd: number): readonly ZipEntry[] {
  const { size } = fstatSync(fd);
  const place = directoryPlace(fd, size);
  if (place === undefined) return [];
  if (place.bytes > limits.documentBytes * 4)
    throw new RepriseError("too_large", "The zip file names too many files.");
  const bytes = readFully(fd, { from: place.at, length: place.bytes });
  const entries: ZipEntry[] = [];
  for (let at = 0; at + 46 <= bytes.length && bytes.readUInt32LE(at) === entryMark; ) {
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
    const extraEnd = nameEnd + bytes.readUInt16LE(at + 30);
    if (extraEnd > bytes.length) break;
    entries.push(entryAt(bytes, at, { nameEnd, extraEnd }));
    at = extraEnd + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

const mostHeaders = 4096;

/** The files that an archive holds, by the headers that stand before each: for one that was cut. */
export function entriesByHeaders(fd: number): readonly ZipEntry[] {
  const { size } = fstatSync(fd);
  const window = new ByteWindow(fd, size);
  const mark = Buffer.from("PK\u0003\u0004", "latin1");
  const entries: ZipEntry[] = [];
  for (let at = 0; at + 30 < size && entries.length < mostHeaders; ) {
    const bytes = window.range(at, limits.chunkBytes);
    const found = bytes.indexOf(mark);
    if (found < 0) {
      at += Math.max(1, bytes.length - 3);
      continue;
    }
    const headerAt = at + found;
    const header = window.range(headerAt, 30);
    if (header.length < 30) break;
    const nameBytes = header.readUInt16LE(26);
    const stated = header.readUInt32LE(18);
    const dataAt = headerAt + 30 + nameBytes + header.readUInt16LE(28);
    // A size that was not known yet stands behind the file: what is packed says itself where it ends.
    const packedBytes = stated === 0 || stated === full ? Math.max(0, size - dataAt) : stated;
    entries.push({
      name: window.range(headerAt + 30, nameBytes).toString("utf8"),
      method: header.readUInt16LE(8),
      isEncrypted: (header.readUInt16LE(6) & 1) === 1,
      crc: header.readUInt32LE(14),
      packedBytes,
      headerAt,
    });
    at = stated === 0 || stated === full ? headerAt + 4 : Math.max(headerAt + 4, dataAt + stated);
  }
  return entries;
}

function entryAt(
  bytes: Buffer,
  at: number,
  { nameEnd, extraEnd }: { readonly nameEnd: number; readonly extraEnd: number },
): ZipEntry {
  const long = longFields(bytes.subarray(nameEnd, extraEnd));
  const size = bytes.readUInt32LE(at + 24);
  const take = (value: number): number => (value === full ? (long.shift() ?? value) : value);
  take(size);
  const packedBytes = take(bytes.readUInt32LE(at + 20));
  const headerAt = take(bytes.readUInt32LE(at + 42));
  return {
    name: bytes.toString("utf8", at + 46, nameEnd),
    method: bytes.readUInt16LE(at + 10),
    isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
    crc: bytes.readUInt32LE(at + 16),
    packedBytes,
    headerAt,
  };
}

/** Sizes and places of 64 bits, in the order the short fields leave them out. */
function longFields(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === 1) {
      const field = extra.subarray(at + 4, at + 4 + length);
      const count = Math.floor(field.length / 8);
      return Array.from({ length: count }, (_, index) => Number(field.readBigUInt64LE(index * 8)));
    }
    at += 4 + length;
  }
  return [];
}

function directoryPlace(
  fd: number,
  size: number,
): { readonly at: number; readonly bytes: number } | undefined {
  const tailAt = Math.max(0, size - endBytes - mostCommentBytes);
  const tail = readFully(fd, { from: tailAt, length: size - tailAt });
  for (let at = tail.length - endBytes; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== endMark) continue;
    const bytes = tail.readUInt32LE(at + 12);
    const from = tail.readUInt32LE(at + 16);
    if (bytes !== full && from !== full && from + bytes > size) return undefined;
    if (bytes !== full && from !== full) return { at: from, bytes };
    return at >= 20 ? longPlace(fd, tail.subarray(at - 20, at)) : undefined;
  }
  return undefined;
}

function longPlace(
  fd: number,
  locator: Buffer,
): { readonly at: number; readonly bytes: number } | undefined {
  if (locator.readUInt32LE(0) !== locator64Mark) return undefined;
  const end = readFully(fd, { from: Number(locator.readBigUInt64LE(8)), length: 56 });
  if (end.length < 56 || end.readUInt32LE(0) !== end64Mark) return undefined;
  return { at: Number(end.readBigUInt64LE(48)), bytes: Number(end.readBigUInt64LE(40)) };
}
