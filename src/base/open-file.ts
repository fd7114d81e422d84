import { closeSync, constants, openSync } from "node:fs";

/** Opens a file for reading, at once: a pipe under its name would be waited for until somebody writes to it. */
export function openAtOnce(path: string): number {
  // Windows has neither the flag nor such pipes.
  return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
}

/** What is read from an open file, which is closed again; `unread` where it cannot be opened or read. */
export function readOpen<T>(path: string, read: (fd: number) => T, unread: T): T {
  let fd: number;
  try {
    fd = openAtOnce(path);
  } catch {
    return unread;
  }
  try {
    return read(fd);
  } catch {
    return unread;
  } finally {
    closeSync(fd);
  }
}
