import {
  close,
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  open,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { withRoom } from "./descriptors.ts";
import { makeFolder } from "./make-folder.ts";

/** Hears that a sync is over, or why it failed. */
export type Synced = (error?: unknown) => void;

/**
 * The few file operations durability rests on. The product uses `disk`; the power-cut tests pass
 * one that remembers what was synced and throws the rest away.
 */
export interface Disk {
  /** Opens for append and reading; `create` demands that the file is new, mode 0600. */
  openAppend(path: string, options?: { readonly create?: boolean }): number;
  /** The same for a file that must be there and be no link. */
  openThere(path: string): number;
  openRead(path: string): number;
  /** Opens for reading and writing anywhere, no link. */
  openUpdate(path: string): number;
  close(fd: number): void;
  /** One write call; returns the bytes taken, which may be fewer. */
  write(fd: number, bytes: Uint8Array): number;
  /** The same at a position; not for a file that was opened for append. */
  writeAt(fd: number, bytes: Uint8Array, position: number): number;
  read(fd: number, into: Uint8Array, position: number): number;
  sizeOf(fd: number): { readonly size: number; readonly links: number; readonly inode: number };
  truncate(fd: number, size: number): void;
  /** Calls back when what was written before is on the disk: an append waits for it, and a promise more would tell. */
  sync(fd: number, done: Synced): void;
  syncNow(fd: number): void;
  syncDirectory(path: string): void;
  /** The same, not blocking. */
  syncDirectoryLater(path: string, done: Synced): void;
  link(from: string, to: string): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  makeDirectory(path: string): void;
}

/** The real disk. */
export const disk: Disk = {
  openAppend: (path, options) =>
    withRoom(() => openSync(path, options?.create ? "ax+" : "a+", 0o600)),
  openThere: (path) => {
    const { O_RDWR, O_APPEND, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    return withRoom(() => openSync(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK));
  },
  openRead: (path) => withRoom(() => openSync(path, "r")),
  openUpdate: (path) =>
    withRoom(() => openSync(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0))),
  close: closeSync,
  write: (fd, bytes) => writeSync(fd, bytes),
  writeAt: (fd, bytes, position) => writeSync(fd, bytes, 0, bytes.length, position),
  read: (fd, into, position) => readSync(fd, into, 0, into.length, position),
  sizeOf: (fd) => {
    const stat = fstatSync(fd);
    return { size: stat.size, links: stat.nlink, inode: stat.ino };
  },
  truncate: ftruncateSync,
  sync: (fd, done) => fdatasync(fd, (error) => done(error ?? undefined)),
  syncNow: fdatasyncSync,
  syncDirectory,
  syncDirectoryLater,
  link: linkSync,
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
  makeDirectory: (path) => {
    makeFolder(path);
  },
};

/** Resolves when what was written to a file before is on the disk. */
export function whenSynced(on: Disk, fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    on.sync(fd, (error) => (error === undefined ? resolve() : reject(error)));
  });
}

/** Makes new, renamed and removed names in a directory durable. */
function syncDirectory(path: string): void {
  // Windows cannot open a directory for syncing; its journal orders name changes itself.
  if (process.platform === "win32") return;
  const fd = withRoom(() => openSync(path, "r"));
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function syncDirectoryLater(path: string, done: Synced): void {
  if (process.platform === "win32") {
    queueMicrotask(done);
    return;
  }
  open(path, "r", (refusal, fd) => {
    if (refusal !== null) done(refusal);
    else fsync(fd, (failure) => close(fd, (error) => done(failure ?? error ?? undefined)));
  });
}

/** What lies at a path now, by its number; undefined where nothing does. */
export function inodeAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

/** Whether a path exists, without following what it says. */
export function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
