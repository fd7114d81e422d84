import { createHash } from "node:crypto";
import { readSync, statSync, truncateSync } from "node:fs";
import { dirname } from "node:path";
import { type Disk, disk as realDisk } from "../base/disk.ts";
import { RepriseError } from "../base/errors.ts";
import { notWritten, sha256Of } from "./added-file.ts";

/** What we appended to a file that others append to as well. */
export interface PiecePrint {
  readonly path: string;
  readonly offset: number;
  readonly sizeBytes: number;
  readonly sha256: string;
}

const newline = 0x0a;

/**
 * Appends a text to a shared file by one write, on a line of its own, and syncs it (P3). A short write is
 * taken back; a file that was not there is made.
 */
export function appendPiece(path: string, text: string, disk: Disk = realDisk): PiecePrint {
  let fd: number;
  try {
    fd = disk.openAppend(path);
  } catch (error) {
    throw notWritten(path, error);
  }
  try {
    const offset = disk.sizeOf(fd).size;
    const bytes = Buffer.from(endsLine(fd, offset) ? text : `\n${text}`);
    try {
      if (disk.write(fd, bytes) !== bytes.length)
        throw Object.assign(new Error("short write"), { code: "ENOSPC" });
      disk.syncNow(fd);
    } catch (error) {
      // Only if nobody wrote after us: what others wrote is never cut off.
      if (disk.sizeOf(fd).size <= offset + bytes.length) disk.truncate(fd, offset);
      if (offset === 0 && disk.sizeOf(fd).size === 0) disk.remove(path);
      throw notWritten(path, error);
    }
    if (offset === 0) disk.syncDirectory(dirname(path));
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return { path, offset, sizeBytes: bytes.length, sha256 };
  } finally {
    disk.close(fd);
  }
}

/** Whether an appended piece is still the end of its file, unchanged. */
export function isStillLast(piece: PiecePrint): boolean {
  const stat = statSync(piece.path, { throwIfNoEntry: false });
  return (
    stat?.size === piece.offset + piece.sizeBytes &&
    sha256Of(piece.path, piece.offset) === piece.sha256
  );
}

/** Cuts an appended piece off again; throws `conflict` where it is not the end of its file any more. */
export function removePiece(piece: PiecePrint, disk: Disk = realDisk): void {
  if (!isStillLast(piece)) {
    throw new RepriseError(
      "conflict",
      `${piece.path} was changed since something was added; it stays.`,
    );
  }
  if (piece.offset === 0) {
    disk.remove(piece.path);
    disk.syncDirectory(dirname(piece.path));
  } else truncateSync(piece.path, piece.offset);
}

/** The piece that a record of a journal describes; undefined where it is none. */
export function pieceIn(value: unknown): PiecePrint | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { path, offset, sizeBytes, sha256 } = value as Partial<Record<keyof PiecePrint, unknown>>;
  return typeof path === "string" &&
    typeof offset === "number" &&
    typeof sizeBytes === "number" &&
    typeof sha256 === "string"
    ? { path, offset, sizeBytes, sha256 }
    : undefined;
}

function endsLine(fd: number, size: number): boolean {
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  return readSync(fd, last, 0, 1, size - 1) === 1 && last[0] === newline;
}
