import {
  closeSync,
  createReadStream,
  fstatSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Transform } from "node:stream";
import { limits } from "../../base/limits.ts";
import { openForReading } from "../../base/open-file.ts";
import type { HeldPart } from "../../jsonl/held-part.ts";

/** An open rollout whose bytes can be read at any offset. */
export interface OpenRollout {
  readonly fd: number;
  readonly sizeBytes: number;
  /** What is in memory of it, where it is gone over more than once. */
  readonly held?: HeldPart | undefined;
  /** Why what was decoded is not all; undefined where it is. */
  readonly problem?: string;
  close(): void;
}

/**
 * Opens a rollout. A compressed one is decoded once, piece by piece, into a private temporary file
 * that has no name any more: reading it twice, from the middle and backwards then works as for a
 * plain one, and memory stays flat. Throws our error with the reason where the file cannot be opened.
 */
export async function openRollout(path: string): Promise<OpenRollout> {
  if (path.endsWith(".zst")) return decoded(path);
  const fd = openForReading(path);
  return { fd, sizeBytes: fstatSync(fd).size, close: () => closeSync(fd) };
}

async function decoded(path: string): Promise<OpenRollout> {
  const source = openForReading(path);
  const folder = mkdtempSync(join(tmpdir(), "reprise-zst-"));
  const fd = openSync(join(folder, "rollout"), "wx+", 0o600);
  const posix = process.platform !== "win32";
  // Unlinked at once where the system allows it, so that a crash leaves nothing behind.
  if (posix) rmSync(folder, { recursive: true, force: true });
  let sizeBytes = 0;
  const take = (bytes: Uint8Array): void => {
    if (sizeBytes + bytes.length > limits.decodedBytes) throw new Error("decoded size over limit");
    let done = 0;
    while (done < bytes.length) done += writeSync(fd, bytes, done, bytes.length - done);
    sizeBytes += bytes.length;
  };
  let problem: string | undefined;
  try {
    await decode(source, path, take);
  } catch (error) {
    problem = error instanceof Error ? error.message : "not decodable";
  } finally {
    closeSync(source);
  }
  return {
    fd,
    sizeBytes,
    ...(problem !== undefined && { problem }),
    close: () => {
      closeSync(fd);
      if (!posix) rmSync(folder, { recursive: true, force: true });
    },
  };
}

type TakeBytes = (bytes: Uint8Array) => void;

/** Decodes with Node's own zstd where it has one, else with the JavaScript decoder. */
async function decode(source: number, path: string, take: TakeBytes): Promise<void> {
  const zlib: object = await import("node:zlib");
  const native = (zlib as { createZstdDecompress?: () => Transform }).createZstdDecompress;
  if (native !== undefined) {
    const { pipeline } = await import("node:stream/promises");
    await pipeline(createReadStream(path), native(), async (pieces: AsyncIterable<Uint8Array>) => {
      for await (const bytes of pieces) take(bytes);
    });
    return;
  }
  const { Decompress } = await import("fzstd");
  const decoder = new Decompress((bytes) => take(bytes));
  const chunk = Buffer.allocUnsafe(limits.chunkBytes);
  for (;;) {
    const taken = readSync(source, chunk, 0, chunk.length, null);
    if (taken === 0) break;
    // The decoder keeps what it is given until it is used, so every piece is its own.
    decoder.push(Uint8Array.prototype.slice.call(chunk, 0, taken), false);
  }
  decoder.push(new Uint8Array(0), true);
}
