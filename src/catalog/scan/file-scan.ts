import { availableParallelism } from "node:os";
import { limits } from "../../base/limits.ts";
import { threadFile } from "../../base/thread-file.ts";
import { mayHold, type ScanTask } from "./byte-scan.ts";
import type { Needle } from "./needle.ts";
import { type ScanOrder, takeTask, taskState } from "./take-tasks.ts";

/** Bytes that are looked through before another thread has started and made up for what its start took. */
const worthThread = 1024 * 1024 * 1024;
const waitMs = 20;

/** Looks through the files of tasks in their order, ahead of who asks, in as many threads as are worth it. */
export class FileScan {
  readonly #order: ScanOrder;
  readonly #states: Int32Array;
  /** A thread fell out, or there is none: what is left is this one's. */
  #alone = true;

  private constructor(order: ScanOrder) {
    this.#order = order;
    this.#states = new Int32Array(order.shared);
  }

  /** Begins; where the program of a thread is not built, everything happens in this one. */
  static async start(
    tasks: readonly ScanTask[],
    needle: Needle,
    options: {
      readonly bytes: number;
      /** The program of a thread; the one that was built unless another is given. */
      readonly worker?: string;
    },
  ): Promise<FileScan> {
    const shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * (1 + tasks.length));
    const scan = new FileScan({ tasks, needle, shared });
    const worth = 1 + Math.floor(options.bytes / worthThread);
    const threads = Math.min(limits.catalogThreads, availableParallelism(), worth);
    if (threads > 1) {
      const { worker = threadFile(import.meta.dirname, "scan") } = options;
      if (worker !== undefined) await scan.#startThreads(worker, threads - 1);
    }
    return scan;
  }

  async #startThreads(file: string, count: number): Promise<void> {
    const { Worker } = await import("node:worker_threads");
    this.#alone = false;
    for (let number = 0; number < count; number += 1) {
      const worker = new Worker(file, { workerData: this.#order });
      worker.once("error", () => {
        this.#alone = true;
      });
    }
  }

  /** Whether a task's files may hold the needle; while another thread looks, this one looks ahead. */
  async mayHold(task: number): Promise<boolean> {
    const place = 1 + task;
    for (;;) {
      const state = Atomics.load(this.#states, place);
      if (state > taskState.taken) return state === taskState.mayHold;
      if (takeTask(this.#order)) continue;
      if (this.#alone) return mayHold(this.#order.tasks[task]!, this.#order.needle);
      Atomics.wait(this.#states, place, taskState.taken, waitMs);
      // A thread that failed is heard of only in between.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Leaves what nobody took. */
  stop(): void {
    Atomics.store(this.#states, 0, this.#order.tasks.length);
  }
}
