import { type Disk, disk as realDisk } from "../base/disk.ts";
import { errnoOf } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { readFully } from "../base/read-fully.ts";
import { type Collection, collectBlobs } from "../blobs/collect.ts";
import { blobNamesIn } from "../blobs/names-in.ts";
import { archivedEnd, archivedPieces } from "./archive.ts";
import type { Home } from "./home.ts";
import { filesIn, sessionFilesIn, sessionFolders } from "./locate.ts";

/** How content is collected. */
export interface CollectOptions {
  readonly nowMs?: number;
  readonly graceMs?: number;
  readonly disk?: Disk;
  /** Hears how many bytes of the store were looked at. */
  readonly onRead?: (bytes: number) => void;
}

/**
 * Deletes large content that nothing in a store refers to any more. Every byte of the store is looked at; where
 * something cannot be read, nothing is deleted, and it throws.
 */
export function collect(home: Home, options: CollectOptions = {}): Collection {
  const { onRead, ...rest } = options;
  return collectBlobs(home.blobs, { ...rest, referenced: () => references(home, onRead) });
}

/**
 * What is moved while it is looked for shows under another name when the files are listed again; so they are, until
 * a listing has nothing new.
 */
function* references(home: Home, onRead: CollectOptions["onRead"]): Generator<string> {
  const seen = new Set<string>();
  for (;;) {
    const unseen = filesThatRefer(home).filter((path) => !seen.has(path));
    if (unseen.length === 0) return;
    for (const path of unseen) {
      seen.add(path);
      yield* blobNamesIn(told(piecesOf(path), onRead));
    }
  }
}

function* told(pieces: Iterable<Buffer>, onRead: CollectOptions["onRead"]): Generator<Buffer> {
  for (const piece of pieces) {
    yield piece;
    onRead?.(piece.length);
  }
}

/**
 * Strips of older versions, sessions, those that forks stand on, those kept compressed, what mending set aside, and the
 * journal. Strips come first: what they hold may go into their session at any time.
 */
function filesThatRefer(home: Home): readonly string[] {
  return [
    ...filesIn(home.strips),
    ...sessionFolders(home).flatMap(sessionFilesIn),
    ...filesIn(home.bases),
    ...filesIn(home.archive),
    ...filesIn(home.quarantine),
    home.journal,
  ];
}

function* piecesOf(path: string): Generator<Buffer> {
  let fd: number;
  try {
    fd = realDisk.openRead(path);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return;
    throw error;
  }
  try {
    if (path.endsWith(archivedEnd)) yield* archivedPieces(fd);
    else yield* plainPieces(fd);
  } finally {
    realDisk.close(fd);
  }
}

function* plainPieces(fd: number): Generator<Buffer> {
  for (let from = 0; ; ) {
    const bytes = readFully(fd, { from, length: limits.scanBytes });
    if (bytes.length === 0) return;
    yield bytes;
    from += bytes.length;
  }
}
