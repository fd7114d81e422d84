import { writeSync } from "node:fs";
import { RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { readFully } from "../../../base/read-fully.ts";
import type { Damage } from "../../../model/damage.ts";
import { crcOf } from "./crc.ts";
import { inflate } from "./inflate.ts";
import type { ZipEntry } from "./zip-directory.ts";

/** Text packs well; what packs better than this was made to fill a disk. */
const mostRatio = 200;
const unsuspectedBytes = 16 * 1024 * 1024;

/**
 * Writes what an entry unpacks to into an open file, piece by piece. What is damaged is reported, and what came before the
 * damage stays; `too_large` is thrown where it unpacks to more than is taken.
 */
export function unpackEntry(
  fd: number,
  entry: ZipEntry,
  options: { readonly into: number; readonly mostBytes: number; onDamage(damage: Damage): void },
): number {
  const { into, mostBytes, onDamage } = options;
  let bytes = 0;
  let crc = 0;
  const take = (piece: Uint8Array): void => {
    bytes += piece.length;
    const isBomb = bytes > unsuspectedBytes && bytes > entry.packedBytes * mostRatio;
    if (bytes > mostBytes || isBomb)
      throw new RepriseError("too_large", "The zip file unpacks to too much.");
    crc = crcOf(piece, crc);
    for (let done = 0; done < piece.length; ) done += writeSync(into, piece, done);
  };
  try {
    const packed = pieces(fd, entry);
    if (entry.method === 8) inflate(packed, take);
    else for (const piece of packed) take(piece);
    if (crc !== entry.crc && entry.crc !== 0)
      onDamage({
        kind: "bad_sum",
        offset: entry.headerAt,
        recovered: 1,
        detail: "a file in the zip file",
      });
  } catch (error) {
    if (error instanceof RepriseError) throw error;
    const detail = `a file in the zip file is damaged: ${error instanceof Error ? error.message : String(error)}`;
    onDamage({ kind: "bad_record", offset: entry.headerAt, recovered: bytes > 0 ? 1 : 0, detail });
  }
  return bytes;
}

/** Checks that an entry can be unpacked at all. */
export function checkEntry({ method, isEncrypted }: ZipEntry): void {
  if (isEncrypted)
    throw new RepriseError("unsupported", "The zip file is locked with a password.", {
      hint: "Unpack it, and name the folder.",
    });
  if (method !== 0 && method !== 8)
    throw new RepriseError("unsupported", "The zip file is packed in a way that is not known.", {
      hint: "Unpack it, and name the folder.",
    });
}

function* pieces(fd: number, { headerAt, packedBytes }: ZipEntry): Generator<Uint8Array> {
  const header = readFully(fd, { from: headerAt, length: 30 });
  if (header.length < 30 || header.readUInt32LE(0) !== 0x04034b50)
    throw new Error("its header is gone");
  let at = headerAt + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const end = at + packedBytes;
  while (at < end) {
    // Each piece is its own: the decoder keeps what it is given.
    const piece = readFully(fd, { from: at, length: Math.min(limits.chunkBytes, end - at) });
    if (piece.length === 0) throw new Error("it was cut");
    yield piece;
    at += piece.length;
  }
}
