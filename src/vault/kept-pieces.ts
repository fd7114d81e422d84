import { createHash } from "node:crypto";
import { readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OwnPiece } from "../agents/belongings-contract.ts";
import { atomicWrite } from "../base/atomic-write.ts";
import { exists } from "../base/disk.ts";
import { RepriseError } from "../base/errors.ts";

/** A piece of a shared file as it was, and the copy that was kept of it. */
export interface KeptPiece extends OwnPiece {
  readonly copy: string;
  /** Of the piece, of what stands before it, and of the file without it. */
  readonly sha256: string;
  readonly before: string;
  readonly rest: string;
  readonly mode: number;
  readonly modifiedMs: number;
}

/** Keeps a copy of a piece. */
export function keepPiece(piece: OwnPiece, folder: string, copy: string): KeptPiece {
  const { path, offset, sizeBytes } = piece;
  const bytes = readFileSync(path);
  const own = bytes.subarray(offset, offset + sizeBytes);
  const before = bytes.subarray(0, offset);
  const rest = Buffer.concat([before, bytes.subarray(offset + sizeBytes)]);
  writeFileSync(join(folder, copy), own, { flag: "wx", mode: 0o600, flush: true });
  const { mode, mtimeMs } = statSync(path);
  return {
    ...piece,
    copy,
    sha256: hashOf(own),
    before: hashOf(before),
    rest: hashOf(rest),
    mode: mode & 0o7777,
    modifiedMs: mtimeMs,
  };
}

/** Cuts a piece out of its file; `conflict` where the file is not as it was. */
export function cutPiece({ path, offset, sizeBytes, sha256, rest, mode }: KeptPiece): void {
  const bytes = readFileSync(path);
  if (hashOf(bytes) === rest) return;
  const left = Buffer.concat([bytes.subarray(0, offset), bytes.subarray(offset + sizeBytes)]);
  if (hashOf(bytes.subarray(offset, offset + sizeBytes)) !== sha256 || hashOf(left) !== rest)
    throw new RepriseError("conflict", `${path} is being written.`, {
      hint: "Quit the program that writes it, then delete the session again.",
    });
  atomicWrite(path, left, { mode });
}

/** Throws `conflict` if a piece has no place any more; whether it already exists. */
export function isPieceBack({ path, offset, sizeBytes, sha256, before }: KeptPiece): boolean {
  const bytes = exists(path) ? readFileSync(path) : Buffer.alloc(0);
  if (hashOf(bytes.subarray(offset, offset + sizeBytes)) === sha256) return true;
  if (bytes.length >= offset && hashOf(bytes.subarray(0, offset)) === before) return false;
  throw new RepriseError(
    "conflict",
    `${path} was changed before the place of the session; nothing was brought back.`,
  );
}

/** Puts a piece back where it was. */
export function putBack(piece: KeptPiece, folder: string): void {
  if (isPieceBack(piece)) return;
  const { path, offset, mode, modifiedMs, rest } = piece;
  const bytes = exists(path) ? readFileSync(path) : Buffer.alloc(0);
  const own = readFileSync(join(folder, piece.copy));
  const isAsItWas = hashOf(bytes) === rest;
  atomicWrite(path, Buffer.concat([bytes.subarray(0, offset), own, bytes.subarray(offset)]), {
    mode,
  });
  if (isAsItWas) utimesSync(path, modifiedMs / 1000, modifiedMs / 1000);
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
