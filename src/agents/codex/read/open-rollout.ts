import {
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  rmSync,
  statfsSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ByteWindow } from "../../../base/byte-window.ts";
import { isRepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { openForReading } from "../../../base/open-file.ts";
import { isOfSystem, whyRefused, writeError } from "../../../base/system-error.ts";
import { decodeZstd, mostDecodedBytes } from "./decode-zstd.ts";

/** An open rollout whose bytes can be read at any offset. */
export interface OpenRollout {
  readonly fd: number;
  readonly sizeBytes: number;
  /** Why what was decoded is not all; undefined if it is. */
  readonly problem?: string;
  close(): void;
}

/**
 * Opens a rollout. A compressed one is decoded once, piece by piece, into a private temporary file
 * that has no name any more: reading it twice, from the middle and backwards then works as for a
 * plain one, and memory stays flat. Throws our error with the reason if the file cannot be opened,
 * is too large when it is decoded, or finds no room.
 */
export async function openRollout(path: string): Promise<OpenRollout> {
  const source = openForReading(path);
  const { size } = fstatSync(source);
  if (!path.endsWith(".zst"))
    return { fd: source, sizeBytes: size, close: () => closeSync(source) };
  try {
    return await decoded(new ByteWindow(source, size));
  } finally {
    closeSync(source);
  }
}

async function decoded(source: ByteWindow): Promise<OpenRollout> {
  const copy = temporaryCopy(Math.min(mostDecodedBytes(source), limits.decodedBytes));
  let sizeBytes = 0;
  const take = (bytes: Uint8Array): void => {
    let done = 0;
    while (done < bytes.length) done += writeSync(copy.fd, bytes, done, bytes.length - done);
    sizeBytes += bytes.length;
  };
  let problem: string | undefined;
  try {
    await decodeZstd(source, take);
  } catch (error) {
    if (isRepriseError(error) || isOfSystem(error)) {
      copy.close();
      throw isRepriseError(error) ? error : noRoom(error);
    }
    problem = error instanceof Error ? error.message : "not decodable";
  }
  return { ...copy, sizeBytes, ...(problem !== undefined && { problem }) };
}

/** A file of nobody else's, in a folder that has room for so much. */
function temporaryCopy(mostBytes: number): Pick<OpenRollout, "fd" | "close"> {
  let folder: string;
  try {
    const { bavail, bsize } = statfsSync(tmpdir());
    if (bavail * bsize < mostBytes + limits.spareDiskBytes) throw noRoom({ code: "ENOSPC" });
    folder = mkdtempSync(join(tmpdir(), "reprise-zst-"));
  } catch (error) {
    throw isRepriseError(error) ? error : noRoom(error);
  }
  const fd = openSync(join(folder, "rollout"), "wx+", 0o600);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const posix = process.platform !== "win32";
  // Unlinked at once where the system allows it, so that a crash leaves nothing behind.
  if (posix) remove();
  return {
    fd,
    close: () => {
      closeSync(fd);
      if (!posix) remove();
    },
  };
}

function noRoom(cause: unknown): Error {
  const where = `The compressed session is decoded in ${tmpdir()}, and that failed`;
  return writeError(cause, `${where}: ${whyRefused(cause)}.`);
}
