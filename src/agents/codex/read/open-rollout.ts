import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { openForReading } from "../../../base/open-file.ts";

/** An open rollout whose bytes can be read at any offset. */
export interface OpenRollout {
  readonly fd: number;
  readonly sizeBytes: number;
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
    await decode(source, take);
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

/** Not with Node's own decoder: 20 has none, and that of 22 takes a file that was cut short for a whole one. */
async function decode(source: number, take: TakeBytes): Promise<void> {
  // The program brings the decoder along; the library has no dependencies.
  const { Decompress } = await import("fzstd").catch((cause: unknown) => {
    throw new RepriseError("unsupported", "This program cannot decode zstd.", { cause });
  });
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
