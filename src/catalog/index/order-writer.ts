import { leavesUnread, type SourceOrder, type SourceStep } from "./source-steps.ts";
import type { CatalogWriter } from "./writer.ts";

/** What whoever writes the index is told: a session begins, its steps follow. */
export type WriteOrder = { readonly begin: SourceOrder } | SourceStep;

/** What becomes of the work that is not committed when the writing ends. */
export type Ending = "commit" | "abandon";

/** Does what the reading of sessions has the index do; it may come a while after it was read. */
export class OrderWriter {
  readonly #writer: CatalogWriter;
  #source: number | undefined;
  /** Sessions that were read and have to be read anew. */
  #refused = 0;

  constructor(writer: CatalogWriter) {
    this.#writer = writer;
  }

  /** Does one order. */
  take(order: WriteOrder): void {
    if ("begin" in order) this.#begin(order.begin);
    else {
      if (this.#source !== undefined) this.#step(this.#source, order);
      else if (order.step === "finish" && !leavesUnread(order)) this.#refused += 1;
      if (order.step === "finish") this.#writer.commitWhenFull();
    }
  }

  /** Keeps what was done or gives it up; tells how many sessions have to be read anew. */
  end(how: Ending): number {
    if (how === "commit") this.#writer.commit();
    else this.#writer.abandon();
    return this.#refused;
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
