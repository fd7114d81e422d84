import { Worker } from "node:worker_threads";
import type { SessionRef } from "../agents/contract.ts";
import type { RowBatch } from "./read-rows.ts";

/** Sessions to be read, in the order they will be asked for. */
export interface AheadOrder {
  readonly sessions: readonly { readonly ref: SessionRef; readonly from: string | undefined }[];
}

/** What the reading thread says about the session with an index. */
export type AheadMessage =
  | { readonly index: number; readonly batch: RowBatch }
  | { readonly index: number; readonly end: true }
  | { readonly index: number; readonly failed: string };

/** Reads sessions in another thread, ahead of the one who asks for them in order. */
export class ReadAhead {
  readonly #worker: Worker;
  readonly #order: AheadOrder;
  readonly #arrived: AheadMessage[] = [];
  #wake: (() => void) | undefined;
  #failure: unknown;

  constructor(file: string, order: AheadOrder) {
    this.#order = order;
    this.#worker = new Worker(file, { workerData: order });
    this.#worker.on("message", (message: AheadMessage) => {
      this.#arrived.push(message);
      this.#wake?.();
    });
    this.#worker.on("error", (error) => {
      this.#failure = error;
      this.#wake?.();
    });
    this.#worker.on("exit", () => {
      this.#failure ??= new Error("the reading thread ended");
      this.#wake?.();
    });
  }

  /** Whether the session is read with this cursor; otherwise the caller reads it. */
  has(index: number, from: string | undefined): boolean {
    return this.#order.sessions[index]?.from === from;
  }

  /** The batches of a session; those of sessions before it that nobody asked for are passed over. */
  async *batches(index: number): AsyncGenerator<RowBatch> {
    for (;;) {
      const message = await this.#next();
      if (message.index < index) continue;
      if ("end" in message) return;
      if ("failed" in message) throw new Error(message.failed);
      yield message.batch;
    }
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  async #next(): Promise<AheadMessage> {
    for (;;) {
      const message = this.#arrived.shift();
      if (message !== undefined) {
        this.#worker.postMessage("taken");
        return message;
      }
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
