import { closeSync, fstatSync, readSync } from "node:fs";
import { limits } from "../base/limits.ts";
import { openForReading } from "../base/open-file.ts";
import { isPageSize } from "./wal.ts";

/** One row found on a leaf page, whatever table it belonged to. */
export type CarvedRow = readonly (string | number | null | Uint8Array)[];

const tableLeaf = 0x0d;

/**
 * Every row on every leaf page of a database file, without its schema or its trees: what is left when
 * those are damaged. Rows the program deleted may be among them, so the caller must know its own.
 */
export function* carveRows(path: string): Generator<CarvedRow> {
  const fd = openForReading(path);
  try {
    const file = pageFile(fd);
    if (file === undefined) return;
    for (let page = 1; page <= file.pages; page += 1) {
      const bytes = file.read(page);
      if (bytes !== undefined) yield* rowsOfPage(bytes, page === 1 ? 100 : 0, file);
    }
  } finally {
    closeSync(fd);
  }
}

interface PageFile {
  readonly pages: number;
  /** Bytes of a page that hold content. */
  readonly usable: number;
  /** Bytes that rows may still take. */
  left: number;
  read(page: number): Buffer | undefined;
}

function pageFile(fd: number): PageFile | undefined {
  const header = Buffer.alloc(100);
  if (readSync(fd, header, 0, 100, 0) < 100) return undefined;
  const stated = header.readUInt16BE(16);
  const pageSize = stated === 1 ? 65_536 : stated;
  if (!isPageSize(pageSize)) return undefined;
  const { size } = fstatSync(fd);
  const pages = Math.floor(size / pageSize);
  const read = (page: number): Buffer | undefined => {
    if (page < 1 || page > pages) return undefined;
    const bytes = Buffer.allocUnsafe(pageSize);
    return readSync(fd, bytes, 0, pageSize, (page - 1) * pageSize) === pageSize ? bytes : undefined;
  };
  return { pages, usable: pageSize - header[20]!, left: size * limits.carvedTimes, read };
}

function* rowsOfPage(page: Buffer, start: number, file: PageFile): Generator<CarvedRow> {
  if (page[start] !== tableLeaf) return;
  const cells = page.readUInt16BE(start + 3);
  for (let cell = 0; cell < cells && file.left > 0; cell += 1) {
    const pointer = start + 8 + cell * 2;
    if (pointer + 2 > page.length) return;
    try {
      const payload = payloadOf(page, page.readUInt16BE(pointer), file);
      const row = payload === undefined ? undefined : decodeRecord(payload);
      if (row !== undefined) yield row;
    } catch (error) {
      // A cell that points outside its page is not a row.
      if (!(error instanceof RangeError)) throw error;
    }
  }
}

function payloadOf(page: Buffer, cell: number, file: PageFile): Buffer | undefined {
  const { usable } = file;
  const size = varint(page, cell);
  const rowid = varint(page, size.end);
  const length = size.value;
  if (length < 2 || length > limits.foreignLineBytes) return undefined;
  const local = localBytes(length, usable);
  const head = page.subarray(rowid.end, rowid.end + local);
  file.left -= head.length;
  if (local === length) return head.length === length ? head : undefined;
  const pieces = [head];
  // A row that comes to a page again never was one.
  const taken = new Set<number>();
  let filled = head.length;
  let next = page.readUInt32BE(rowid.end + local);
  while (filled < length && file.left > 0) {
    const overflow = taken.has(next) ? undefined : file.read(next);
    if (overflow === undefined) return undefined;
    taken.add(next);
    const piece = overflow.subarray(4, Math.min(usable, 4 + length - filled));
    pieces.push(piece);
    filled += piece.length;
    file.left -= overflow.length;
    next = overflow.readUInt32BE(0);
  }
  return filled < length ? undefined : Buffer.concat(pieces);
}

/** How much of a payload lies on its own page; the rule of SQLite's file format. */
function localBytes(length: number, usable: number): number {
  const most = usable - 35;
  if (length <= most) return length;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((length - least) % (usable - 4));
  return fitting <= most ? fitting : least;
}

function decodeRecord(payload: Buffer): CarvedRow | undefined {
  const header = varint(payload, 0);
  if (header.value > payload.length || header.value > 2048) return undefined;
  const row: (string | number | null | Uint8Array)[] = [];
  let at = header.end;
  let body = header.value;
  while (at < header.value) {
    const type = varint(payload, at);
    at = type.end;
    const size = sizeOf(type.value);
    if (body + size > payload.length) return undefined;
    row.push(decodeValue(type.value, payload.subarray(body, body + size)));
    body += size;
  }
  return row;
}

const fixedSizes = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0] as const;

function sizeOf(type: number): number {
  return type < 12 ? fixedSizes[type]! : Math.floor((type - 12) / 2);
}

function decodeValue(type: number, bytes: Buffer): string | number | null | Uint8Array {
  if (type === 0) return null;
  if (type === 8 || type === 9) return type - 8;
  if (type === 7) return bytes.readDoubleBE(0);
  if (type === 6) return Number(bytes.readBigInt64BE(0));
  if (type < 7) return bytes.readIntBE(0, bytes.length);
  if (type < 12) return null;
  return type % 2 === 1 ? bytes.toString("utf8") : new Uint8Array(bytes);
}

function varint(bytes: Buffer, at: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let index = 0; index < 9; index += 1) {
    const byte = bytes.readUInt8(at + index);
    if (index === 8) return { value: value * 256 + byte, end: at + 9 };
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: at + index + 1 };
  }
  return { value, end: at + 9 };
}
