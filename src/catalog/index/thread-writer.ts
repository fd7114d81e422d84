import { Worker } from "node:worker_threads";
import { limits } from "../../base/limits.ts";
import type { Ending, WriteOrder } from "./order-writer.ts";

/** What the writing thread is told; at last, that everything ends. */
export type ThreadOrder = WriteOrder | { readonly end: Ending };

/** What the writing thread tells. */
export type Told = { readonly writtenBytes: number } | { readonly refused: number };

/** Has an `OrderWriter` write the index in another thread, so that the next sessions are read meanwhile. */
export class ThreadWriter {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  #waitingBytes = 0;
  #refused = 0;
  #failure: unknown;
  #wake: (() => void) | undefined;

  /** Starts the program of the thread on a database. */
  constructor(file: string, database: string) {
    this.#worker = new Worker(file, { workerData: database });
    this.#worker.on("message", (told: Told) => {
      if ("refused" in told) this.#refused = told.refused;
      else this.#waitingBytes -= told.writtenBytes;
      this.#wake?.();
    });
    this.#worker.on("error", (error) => {
      this.#failure = error;
      this.#wake?.();
    });
    this.#ended = new Promise((resolve) => {
      this.#worker.once("exit", resolve);
    }).then(() => this.#wake?.());
  }

  /** Hands an order over; waits while too much is on its way. The texts of a batch are given away. */
  async take(order: WriteOrder): Promise<void> {
    const batch = "step" in order && order.step === "add" ? order.batch : undefined;
    this.#waitingBytes += waitingBytesOf(order);
    this.#worker.postMessage(order, batch && [batch.texts.buffer, batch.rest.buffer]);
    while (this.#waitingBytes > limits.waitingBytes && this.#failure === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Ends the thread, what it did kept or given up; tells how many sessions have to be read anew. */
  async end(how: Ending): Promise<number> {
    this.#worker.postMessage({ end: how } satisfies ThreadOrder);
    await this.#ended;
    if (this.#failure !== undefined && how === "commit") throw this.#failure;
    return this.#refused;
  }
}

/** About what a row takes besides its text, and what a batch does, with the head of the session it may be all of. */
const [rowBytes, batchBytes] = [128, 2048];

/** About how much memory an order takes while it waits. */
export function waitingBytesOf(order: WriteOrder): number {
  if ("begin" in order || order.step !== "add") return 0;
  const { texts, rest, rows } = order.batch;
  return texts.length + rest.length + rows.length * rowBytes + batchBytes;
}
