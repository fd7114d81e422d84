import { closeSync, constants, fstatSync, openSync, readlinkSync } from "node:fs";
import { errnoOf } from "../base/errors.ts";
import { readInto } from "../base/read-fully.ts";
import { nameOfBytes, pathFor } from "./file-name.ts";
import type { SkipReason } from "./folder-state.ts";
import { throwIfOutOfFiles } from "./list-folder.ts";
import { printOf, type StatPrint, samePrint } from "./stat-print.ts";

const attempts = 3;
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** Reads files whole into one buffer that is used again; held because growing it is what costs. */
export class LeafReader {
  #buffer = Buffer.allocUnsafe(256 * 1024);

  /**
   * The bytes of a regular file, valid until the next call, and what the disk said of it before and after. No link is
   * followed, no pipe waited for; a file that changes while it is read is tried again.
   */
  read(
    path: string,
    seen: StatPrint,
  ): { readonly bytes: Buffer; readonly print: StatPrint } | SkipReason {
    let fd: number;
    try {
      fd = openSync(pathFor(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    } catch (error) {
      throwIfOutOfFiles(error);
      return errnoOf(error) === "ENOENT" || errnoOf(error) === "ELOOP" ? "changing" : "unreadable";
    }
    try {
      let before = seen;
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        // One byte more, so that a file that grew is noticed.
        if (this.#buffer.length <= before.size) this.#buffer = Buffer.allocUnsafe(before.size + 1);
        const length = readInto(fd, this.#buffer.subarray(0, before.size + 1), 0);
        const stat = fstatSync(fd);
        if (!stat.isFile()) return "special";
        const after = printOf(stat);
        if (length === after.size && samePrint(before, after))
          return { bytes: this.#buffer.subarray(0, length), print: after };
        if (stat.size > limitOfRetry(seen)) return "changing";
        before = after;
      }
      return "changing";
    } catch {
      return "unreadable";
    } finally {
      closeSync(fd);
    }
  }
}

/** A file that grows while it is read is followed so far. */
function limitOfRetry(seen: StatPrint): number {
  return Math.max(seen.size * 2, 1024 * 1024);
}

/** Where a link leads; undefined if it is gone. */
export function readLink(path: string): string | undefined {
  try {
    return nameOfBytes(readlinkSync(pathFor(path), "buffer"));
  } catch {
    return undefined;
  }
}
