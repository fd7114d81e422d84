import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import { limits } from "../base/limits.ts";
import { mayHold, type Needle, type ScanTask } from "./byte-scan.ts";
import { type ScanOrder, takeTask, taskState } from "./take-tasks.ts";

/** Files that one thread looks through while another one starts, in bytes. */
const worthThread = 128 * 1024 * 1024;
const waitMs = 20;

/** Threads that look through files once they are told which; they start while those are still being found. */
export class ScanThreads {
  readonly #workers: readonly Worker[];
  #failed = false;
  #isFree = true;

  private constructor(workers: readonly Worker[]) {
    this.#workers = workers;
    for (const worker of workers) {
      worker.once("error", () => {
        this.#failed = true;
      });
    }
  }

  /** Starts as many threads beside this one as so many bytes are worth; undefined where that is none. */
  static async start(file: string, bytes: number): Promise<ScanThreads | undefined> {
    const worth = Math.floor(bytes / worthThread);
    const threads = Math.min(limits.catalogThreads, availableParallelism(), 1 + worth) - 1;
    if (threads < 1) return undefined;
    const { Worker: Thread } = await import("node:worker_threads");
    return new ScanThreads(Array.from({ length: threads }, () => new Thread(file)));
  }

  /** Whether one of them fell out: what it had taken is never finished. */
  get failed(): boolean {
    return this.#failed;
  }

  /** Whether they wait for work; they take it once. */
  get isFree(): boolean {
    return this.#isFree;
  }

  /** Sets them to work; each ends when nothing is left. */
  take(order: ScanOrder): void {
    this.#isFree = false;
    for (const worker of this.#workers) worker.postMessage(order);
  }

  /** Ends them, whatever they do. */
  stop(): void {
    for (const worker of this.#workers) void worker.terminate();
  }
}

/** Looks through the files of tasks in their order, ahead of who asks, together with other threads if there are any. */
export class FileScan {
  readonly #order: ScanOrder;
  readonly #states: Int32Array;
  readonly #threads: ScanThreads | undefined;

  constructor(tasks: readonly ScanTask[], needle: Needle, threads?: ScanThreads) {
    const shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * (1 + tasks.length));
    this.#order = { tasks, needle, shared };
    this.#states = new Int32Array(shared);
    this.#threads = threads;
    threads?.take(this.#order);
  }

  /** Whether a task's files may hold the needle; while another thread looks, this one looks ahead. */
  async mayHold(task: number): Promise<boolean> {
    const place = 1 + task;
    for (;;) {
      const state = Atomics.load(this.#states, place);
      if (state > taskState.taken) return state === taskState.mayHold;
      if (takeTask(this.#order)) continue;
      if (this.#threads?.failed !== false) {
        return mayHold(this.#order.tasks[task]!, this.#order.needle);
      }
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
