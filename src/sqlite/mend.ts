import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { limits } from "../base/limits.ts";
import { openForReading } from "../base/open-file.ts";
import { isPageSize, type WalReport } from "./wal.ts";

const magic = Buffer.from("SQLite format 3\0", "latin1");

/**
 * Makes a private copy of a damaged database readable as far as it goes: the pages of its log are laid
 * over it, also those behind a damaged frame; a damaged header is restored; a cut file is filled up
 * with empty pages. Only ever called for a file of our own.
 */
export function mendCopy(
  path: string,
  wal?: { readonly path: string; readonly report: WalReport },
) {
  const fd = openSync(path, "r+");
  try {
    if (wal !== undefined) layOver(fd, wal);
    mendHeader(fd, wal?.report.pageSize);
  } finally {
    closeSync(fd);
  }
}

function layOver(fd: number, wal: { readonly path: string; readonly report: WalReport }): void {
  const { frames, pageSize } = wal.report;
  const pages = frames.at(-1)?.commitPages ?? 0;
  if (pages === 0 || pages * pageSize > limits.mendedDatabaseBytes) return;
  const source = openForReading(wal.path);
  const page = Buffer.allocUnsafe(pageSize);
  try {
    for (const frame of frames) {
      // A damaged frame still holds most of its page, which serves better than an older one.
      if (frame.page < 1 || frame.page > pages) continue;
      if (readSync(source, page, 0, pageSize, frame.offset) < pageSize) break;
      writeSync(fd, page, 0, pageSize, (frame.page - 1) * pageSize);
    }
  } finally {
    closeSync(source);
  }
  ftruncateSync(fd, pages * pageSize);
}

function mendHeader(fd: number, walPageSize: number | undefined): void {
  const header = Buffer.alloc(100);
  if (readSync(fd, header, 0, 100, 0) < 100) return;
  const stated = header.readUInt16BE(16);
  const pageSize = stated === 1 ? 65_536 : stated;
  const size = isPageSize(pageSize) ? pageSize : (walPageSize ?? 4096);
  magic.copy(header);
  header.writeUInt16BE(size === 65_536 ? 1 : size, 16);
  // Versions 1: the copy has no log beside it any more. Then the fixed payload fractions.
  header.set([1, 1, header[20]! > 64 ? 0 : header[20]!, 64, 32, 32], 18);
  const there = Math.ceil(fstatSync(fd).size / size);
  const named = header.readUInt32BE(28);
  const trusted = header.readUInt32BE(24) === header.readUInt32BE(92);
  const pages = trusted && named > there && named <= there * 1024 ? named : there;
  if (pages * size <= limits.mendedDatabaseBytes) ftruncateSync(fd, pages * size);
  header.writeUInt32BE(pages, 28);
  header.writeUInt32BE(header.readUInt32BE(24), 92);
  if (header.readUInt32BE(44) < 1 || header.readUInt32BE(44) > 4) header.writeUInt32BE(4, 44);
  if (header.readUInt32BE(56) < 1 || header.readUInt32BE(56) > 3) header.writeUInt32BE(1, 56);
  writeSync(fd, header, 0, 100, 0);
}

/** The page size a database's header states, or undefined if it states none. */
export function statedPageSize(path: string): number | undefined {
  const fd = openForReading(path);
  try {
    const header = Buffer.alloc(18);
    if (readSync(fd, header, 0, 18, 0) < 18) return undefined;
    const stated = header.readUInt16BE(16);
    const size = stated === 1 ? 65_536 : stated;
    return isPageSize(size) ? size : undefined;
  } finally {
    closeSync(fd);
  }
}
