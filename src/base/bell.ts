import { watch } from "node:fs";
import { limits } from "./limits.ts";

/** When a bell rings by itself. */
export interface BellOptions {
  /** Rings once more when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Rings after this time in any case; without it the bell waits to be rung. */
  readonly pollMs?: number | undefined;
}

/** Wakes one that waits for something to change. */
export class Bell {
  readonly #options: BellOptions;
  #rung = false;
  #wake: (() => void) | undefined;

  constructor(options: BellOptions = {}) {
    this.#options = options;
    options.signal?.addEventListener("abort", this.ring);
  }

  readonly ring = (): void => {
    this.#rung = true;
    this.#wake?.();
  };

  /** Resolves when it rings, at once where it rang since the last time. */
  async next(): Promise<void> {
    const { signal, pollMs } = this.#options;
    if (!this.#rung && !signal?.aborted) {
      await new Promise<void>((resolve) => {
        const timer = pollMs === undefined ? undefined : setTimeout(resolve, pollMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = undefined;
    this.#rung = false;
  }

  stop(): void {
    this.#options.signal?.removeEventListener("abort", this.ring);
  }
}

/** A bell that rings when a file may have changed: by the system's word where it gives one, by the clock otherwise. */
export function fileBell(path: string, options: BellOptions): Bell {
  return new FileBell(path, { pollMs: limits.followPollMs, ...options });
}

class FileBell extends Bell {
  #watcher: ReturnType<typeof watch> | undefined;

  constructor(path: string, options: BellOptions) {
    super(options);
    try {
      this.#watcher = watch(path, this.ring);
      this.#watcher.on("error", () => this.#watcher?.close());
    } catch {
      // No such file yet, or a file system that cannot watch: the clock alone then rings.
    }
  }

  override stop(): void {
    super.stop();
    this.#watcher?.close();
  }
}
