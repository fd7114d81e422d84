import { closeSync, fstatSync, statSync } from "node:fs";
import { type Bell, fileBell } from "../base/bell.ts";
import { isRepriseError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { openForReading } from "../base/open-file.ts";
import { linesForward } from "./read-forward.ts";

/** A whole line of a growing file, or the news that the file shrank or was replaced. */
export type Followed =
  | {
      readonly kind: "line";
      readonly offset: number;
      readonly length: number;
      /** Without the newline. Empty where the line is too long to hold. */
      readonly bytes: Buffer;
      readonly tooLong: boolean;
    }
  | { readonly kind: "restarted" };

/**
 * Follows a growing file as `tail -F` does: whole lines only, from the beginning again when it was
 * truncated or replaced. Ends when the signal aborts.
 */
export async function* follow(
  path: string,
  options: { readonly from?: number; readonly signal?: AbortSignal; readonly pollMs?: number } = {},
): AsyncGenerator<Followed> {
  const { signal, pollMs = limits.followPollMs } = options;
  let offset = options.from ?? 0;
  // Held open while it is followed: so a new file at the same path cannot be given its inode number.
  let fd: number | undefined;
  let opened = 0;
  let bell: Bell | undefined;
  try {
    while (!signal?.aborted) {
      if (fd === undefined) {
        fd = openIfThere(path);
        bell?.stop();
        bell = fileBell(path, { signal, pollMs });
        if (fd !== undefined && opened++ > 0) {
          offset = 0;
          yield { kind: "restarted" };
        }
      }
      if (fd !== undefined) {
        if (fstatSync(fd).size < offset) {
          offset = 0;
          yield { kind: "restarted" };
        }
        for (const line of linesForward(fd, { from: offset })) {
          if (!line.complete || signal?.aborted) break;
          offset = line.offset + line.length;
          const { length, tooLong } = line;
          yield {
            kind: "line",
            offset: line.offset,
            length,
            bytes: Buffer.from(line.bytes),
            tooLong,
          };
        }
        if (isReplaced(path, fd)) {
          closeSync(fd);
          fd = undefined;
          continue;
        }
      }
      await bell?.next();
    }
  } finally {
    bell?.stop();
    if (fd !== undefined) closeSync(fd);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openForReading(path);
  } catch (error) {
    if (isRepriseError(error, "not_found")) return undefined;
    throw error;
  }
}

/** Whether another file lies at the path now; a missing one may still come back. */
function isReplaced(path: string, fd: number): boolean {
  const there = statSync(path, { throwIfNoEntry: false });
  const held = fstatSync(fd);
  return there !== undefined && (there.ino !== held.ino || there.dev !== held.dev);
}
