import { Worker } from "node:worker_threads";
import { limits } from "../../base/limits.ts";
import { type WriteOrder, waitingBytesOf } from "./order-writer.ts";
import type { SourceOrder, SourceStep } from "./source-steps.ts";

/** What the writing thread is told; at last, that everything ends. */
export type ThreadOrder = WriteOrder | { readonly end: "commit" | "abandon" };

/** What the writing thread tells. */
export type Told = { readonly writtenBytes: number } | { readonly refused: number };

/** Writes the index in another thread, so that the next sessions are read meanwhile. */
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

  /** What waits is written elsewhere: a reading that it makes useless is refused there. */
  settle(): void {}

  /** Hands a session over. */
  begin(order: SourceOrder): void {
    this.#worker.postMessage({ begin: order } satisfies ThreadOrder);
  }

  /** Hands a step over; waits while too much is on its way. The texts of a batch are given away. */
  async take(step: SourceStep): Promise<void> {
    this.#waitingBytes += waitingBytesOf(step);
    const given = step.step === "add" ? [step.batch.texts.buffer, step.batch.rest.buffer] : [];
    this.#worker.postMessage(step, given);
    while (this.#waitingBytes > limits.waitingBytes && this.#failure === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Ends the thread, what it did kept or given up; tells how many sessions have to be read anew. */
  async end(how: "commit" | "abandon"): Promise<number> {
    this.#worker.postMessage({ end: how } satisfies ThreadOrder);
    await this.#ended;
    if (this.#failure !== undefined && how === "commit") throw this.#failure;
    return this.#refused;
  }
}
