import { closeSync, fstatSync, openSync, statSync, watch } from "node:fs";
import { errnoOf } from "../base/errors.ts";
import { linesForward } from "./read-forward.ts";

/** A whole line of a growing file, or the news that the file shrank or was replaced. */
export type Followed =
  | {
      readonly kind: "line";
      readonly offset: number;
      readonly length: number;
      readonly bytes: Buffer;
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
  const { signal, pollMs = 250 } = options;
  let offset = options.from ?? 0;
  let inode: number | undefined;
  const bell = watchBell(path, { signal, pollMs });
  try {
    while (!signal?.aborted) {
      const fd = openIfThere(path);
      if (fd !== undefined) {
        try {
          const stat = fstatSync(fd);
          const replaced = inode !== undefined && stat.ino !== inode;
          inode = stat.ino;
          if (replaced || stat.size < offset) {
            offset = 0;
            yield { kind: "restarted" };
          }
          for (const line of linesForward(fd, { from: offset })) {
            if (!line.complete) break;
            offset = line.offset + line.length;
            yield {
              kind: "line",
              offset: line.offset,
              length: line.length,
              bytes: Buffer.from(line.bytes),
            };
          }
        } finally {
          closeSync(fd);
        }
      }
      await bell.next();
    }
  } finally {
    bell.stop();
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Rings when the file may have changed: by the system's word where it gives one, by the clock otherwise. */
function watchBell(
  path: string,
  options: { readonly signal: AbortSignal | undefined; readonly pollMs: number },
): { next(): Promise<void>; stop(): void } {
  let rung = false;
  let wake: (() => void) | undefined;
  const ring = (): void => {
    rung = true;
    wake?.();
  };
  let watcher: ReturnType<typeof watch> | undefined;
  try {
    if (statSync(path, { throwIfNoEntry: false })) watcher = watch(path, ring);
    watcher?.on("error", () => watcher?.close());
  } catch {
    // Some file systems cannot watch; the clock alone then rings.
  }
  options.signal?.addEventListener("abort", ring);
  return {
    next: async () => {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, options.pollMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wake = undefined;
      rung = false;
    },
    stop: () => {
      watcher?.close();
      options.signal?.removeEventListener("abort", ring);
    },
  };
}
