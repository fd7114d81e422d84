import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from "node:fs";
import { withRoom } from "./descriptors.ts";
import { isRepriseError, RepriseError } from "./errors.ts";
import { systemError, whyRefused } from "./system-error.ts";

/** Opens a file for reading, at once: a pipe under its name would be waited for until somebody writes to it. */
export function openAtOnce(path: string): number {
  // Windows has neither the flag nor such pipes.
  return withRoom(() => openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
}

/** Opens a file to append to it, made for the user alone where it is not there; a pipe that nobody reads is refused at once. */
export function openToAppend(path: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0 } = constants;
  return openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
}

/** Appends a text by one write, likewise. */
export function appendText(path: string, text: string): void {
  const fd = openToAppend(path);
  try {
    writeSync(fd, text);
  } finally {
    closeSync(fd);
  }
}

/** Opens a regular file for reading; throws our error with the reason if that cannot be. */
export function openForReading(path: string): number {
  let fd: number;
  try {
    fd = openAtOnce(path);
  } catch (error) {
    throw systemError(error, `${path} cannot be opened: ${whyRefused(error)}.`);
  }
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new RepriseError("not_a_file", `${path} is not a regular file.`);
}

/**
 * The bytes of a regular file; throws our error with the reason if it cannot be read, `too_large` where it has more
 * than the most that are wanted.
 */
export function readRegular(path: string, mostBytes = Number.POSITIVE_INFINITY): Buffer {
  const fd = openForReading(path);
  try {
    const { size } = fstatSync(fd);
    if (size > mostBytes) throw new RepriseError("too_large", `${path} has ${size} bytes.`);
    return readFileSync(fd);
  } catch (error) {
    if (isRepriseError(error)) throw error;
    throw systemError(error, `${path} cannot be read: ${whyRefused(error)}.`);
  } finally {
    closeSync(fd);
  }
}

/** Throws our error with the reason if a file cannot be read. */
export function checkReadable(path: string): void {
  closeSync(openForReading(path));
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
