import { closeSync, openSync } from "node:fs";

/** What is read from an open file, which is closed again; `unread` where it cannot be opened or read. */
export function readOpen<T>(path: string, read: (fd: number) => T, unread: T): T {
  let fd: number;
  try {
    fd = openSync(path, "r");
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
