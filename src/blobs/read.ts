import { createHash } from "node:crypto";
import type { Disk } from "../base/disk.ts";
import { errnoOf } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { readFully } from "../base/read-fully.ts";
import { openIfThere, readEntry, scanPack } from "./pack.ts";
import { type PackIndex, packPaths } from "./pack-index.ts";
import type { BlobPlaces } from "./places.ts";

/** Every stored copy of a blob, likeliest place first; what a collection holds in its trash comes last. */
export function* readStored(
  disk: Disk,
  places: BlobPlaces,
  index: PackIndex,
  name: string,
): Generator<Buffer> {
  const place = index.known(name);
  if (place !== undefined) {
    const record = within(disk, place.path, (fd) => readEntry(fd, place));
    if (record !== undefined) yield record;
  }
  const file = wholeFile(disk, places.file(name));
  if (file !== undefined) yield file;
  const trashed = wholeFile(disk, places.trashed(name));
  if (trashed !== undefined) yield trashed;
  for (const path of packPaths(places.trash)) {
    const records = within(disk, path, (fd) =>
      scanPack(disk, fd)
        .entries.filter((entry) => entry.name === name)
        .map((entry) => readEntry(fd, entry)),
    );
    for (const record of records ?? []) if (record !== undefined) yield record;
  }
}

/** The pieces of a blob's own open file, which is closed at the end; returns whether they were what the name says. */
export function* streamFile(disk: Disk, fd: number, name: string): Generator<Buffer, boolean> {
  try {
    const hash = createHash("sha256");
    for (let at = 0; ; ) {
      const piece = readFully(fd, { from: at, length: limits.chunkBytes });
      if (piece.length === 0) return hash.digest("hex") === name;
      at += piece.length;
      hash.update(piece);
      yield piece;
    }
  } finally {
    disk.close(fd);
  }
}

function wholeFile(disk: Disk, path: string): Buffer | undefined {
  return within(disk, path, (fd) => {
    const { size } = disk.sizeOf(fd);
    if (size > limits.blobBytes + limits.headBytes) return undefined;
    return readFully(fd, { from: 0, length: size });
  });
}

/** What a reading of an open file gives; undefined if the file is gone or is not a file. */
function within<T>(disk: Disk, path: string, read: (fd: number) => T): T | undefined {
  const fd = openIfThere(disk, path);
  if (fd === undefined) return undefined;
  try {
    return read(fd);
  } catch (error) {
    if (errnoOf(error) === "EISDIR") return undefined;
    throw error;
  } finally {
    disk.close(fd);
  }
}
