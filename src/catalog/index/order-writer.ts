import { leavesUnread, type SourceOrder, type SourceStep } from "./source-steps.ts";
import type { CatalogWriter } from "./writer.ts";

/** What whoever writes the index is told: a session begins, its steps follow. */
export type WriteOrder = { readonly begin: SourceOrder } | SourceStep;

/** Does what the reading of sessions has the index do; it may come a while after it was read. */
export class OrderWriter {
  readonly #writer: CatalogWriter;
  #source: number | undefined;
  /** Sessions that were read and have to be read anew. */
  refused = 0;

  constructor(writer: CatalogWriter) {
    this.#writer = writer;
  }

  /** Does one order. */
  take(order: WriteOrder): void {
    if ("begin" in order) this.#begin(order.begin);
    else {
      if (this.#source !== undefined) this.#step(this.#source, order);
      else if (order.step === "finish" && !leavesUnread(order)) this.refused += 1;
      if (order.step === "finish") this.#writer.commitWhenFull();
    }
  }

  #begin({ ref, from }: SourceOrder): void {
    this.#writer.begin();
    // What was written meanwhile may want the whole of it read again: it is stale, and read by the next sweep.
    const isRefused = from !== undefined && this.#writer.cursorOf(ref) !== from;
    this.#source = isRefused ? undefined : this.#writer.sourceFor(ref);
  }

  #step(source: number, step: SourceStep): void {
    if (step.step === "clear") this.#writer.clear(source);
    else if (step.step === "describe") this.#writer.describe(source, step.head);
    else if (step.step === "finish") this.#writer.readTo(source, step.to);
    else {
      this.#writer.add(source, step.batch);
      if (step.learns) this.#writer.learn(source, step.batch.learnt);
    }
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
