import { createHash } from "node:crypto";
import { statSync, truncateSync } from "node:fs";
import { dirname } from "node:path";
import { type Disk, disk as realDisk } from "../base/disk.ts";
import { RepriseError } from "../base/errors.ts";
import { failpoint, isArmed, tearAndCrash } from "../base/failpoint.ts";
import { fileStat, statOf } from "../base/folders.ts";
import { limits } from "../base/limits.ts";
import { readFully } from "../base/read-fully.ts";
import { notWritten, sha256Of } from "./added-file.ts";
import type { Staging } from "./running.ts";

/** What we appended to a file that others append to as well. */
export interface PiecePrint {
  readonly path: string;
  readonly offset: number;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Whether the file was there before; where this is not told, it was unless the piece is its beginning. */
  readonly wasThere?: boolean;
  /** Where the same bytes are kept until they are known to be there: a killed process may have written only some. */
  readonly kept?: string;
}

/** A piece that is ready to be appended. */
export interface StagedPiece {
  readonly print: PiecePrint;
  readonly bytes: Uint8Array;
}

const newline = 0x0a;

/** Makes a piece of a text, for the end of a file as it is now, on a line of its own. */
export function stagePiece(
  path: string,
  text: string,
  {
    staging,
    disk = realDisk,
  }: { readonly staging?: Staging | undefined; readonly disk?: Disk } = {},
): StagedPiece {
  const offset = statOf(path)?.size;
  const bytes = Buffer.from(endsLine(path, offset ?? 0, disk) ? text : `\n${text}`);
  return {
    bytes,
    print: {
      path,
      offset: offset ?? 0,
      sizeBytes: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      wasThere: offset !== undefined,
      ...(staging !== undefined && { kept: staging.keep(bytes) }),
    },
  };
}

/**
 * Appends a piece to a shared file by one write and syncs it (P3). A short write is taken back; a file that was not
 * there is made; one that has grown since is left as it is, with `conflict`.
 */
export function appendPiece({ print, bytes }: StagedPiece, disk: Disk = realDisk): void {
  const { path, offset, wasThere } = print;
  let fd: number;
  try {
    fd = disk.openAppend(path);
  } catch (error) {
    throw notWritten(path, error);
  }
  try {
    if (disk.sizeOf(fd).size !== offset) {
      throw new RepriseError(
        "conflict",
        `${path} was changed in this moment; nothing was written.`,
        { hint: "Run the same command again." },
      );
    }
    failpoint("addition.opened");
    try {
      if (isArmed("addition.half-appended")) tearAndCrash(disk, fd, bytes);
      if (disk.write(fd, bytes) !== bytes.length)
        throw Object.assign(new Error("short write"), { code: "ENOSPC" });
      disk.syncNow(fd);
    } catch (error) {
      // Only if nobody wrote after us: what others wrote is never cut off.
      if (disk.sizeOf(fd).size <= offset + bytes.length) disk.truncate(fd, offset);
      if (wasThere === false && disk.sizeOf(fd).size === 0) disk.remove(path);
      throw notWritten(path, error);
    }
    if (wasThere === false) disk.syncDirectory(dirname(path));
    failpoint("addition.appended");
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

/**
 * Cuts an appended piece off again, also one that a killed process wrote only a part of; throws `conflict` if it is
 * not the end of its file any more. Where nothing of it is there, nothing is done.
 */
export function removePiece(piece: PiecePrint, disk: Disk = realDisk): void {
  const { path, offset } = piece;
  const wasThere = piece.wasThere ?? offset > 0;
  const size = fileStat(path)?.sizeBytes;
  if (size === undefined) return;
  // A file that was made for the piece, and no more than made: only while the copy says that we were not done.
  const isOnlyMade = size === 0 && !wasThere && isKept(piece);
  if (size === offset && !isOnlyMade) return;
  if (!isOnlyMade && !isStillLast(piece) && !isBeginning(piece, size, disk)) {
    throw new RepriseError("conflict", `${path} was changed since something was added; it stays.`);
  }
  if (wasThere) truncateSync(path, offset);
  else {
    disk.remove(path);
    disk.syncDirectory(dirname(path));
  }
}

/** Whether a file ends in the first bytes of a piece, as its kept copy has them. */
function isBeginning(piece: PiecePrint, size: number, disk: Disk): boolean {
  const { path, offset, sizeBytes, kept } = piece;
  const length = size - offset;
  if (kept === undefined || !isKept(piece) || length <= 0 || length > sizeBytes) return false;
  if (length > limits.appendedHistoryBytes + 1) return false;
  return bytesAt(path, offset, length, disk).equals(bytesAt(kept, 0, length, disk));
}

function isKept({ kept }: PiecePrint): boolean {
  return kept !== undefined && fileStat(kept) !== undefined;
}

function bytesAt(path: string, from: number, length: number, disk: Disk): Buffer {
  const fd = disk.openRead(path);
  try {
    return readFully(fd, { from, length });
  } finally {
    disk.close(fd);
  }
}

/** The piece that a record of a journal describes; undefined if it is none. */
export function pieceIn(value: unknown): PiecePrint | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { path, offset, sizeBytes, sha256, wasThere, kept } = value as Partial<
    Record<keyof PiecePrint, unknown>
  >;
  return typeof path === "string" &&
    typeof offset === "number" &&
    typeof sizeBytes === "number" &&
    typeof sha256 === "string"
    ? {
        path,
        offset,
        sizeBytes,
        sha256,
        ...(typeof wasThere === "boolean" && { wasThere }),
        ...(typeof kept === "string" && { kept }),
      }
    : undefined;
}

function endsLine(path: string, size: number, disk: Disk): boolean {
  return size === 0 || bytesAt(path, size - 1, 1, disk)[0] === newline;
}
