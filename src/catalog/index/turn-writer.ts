import { limits } from "../../base/limits.ts";
import { OrderWriter, type WriteOrder, waitingBytesOf } from "./order-writer.ts";
import type { SourceOrder, SourceStep } from "./source-steps.ts";
import type { CatalogWriter } from "./writer.ts";

/**
 * Writes the index on the thread that reads, in turns: much is read, then all of it is written. Each finds the
 * processor's caches as it left them, not as the other did.
 */
export class TurnWriter {
  readonly #writer: CatalogWriter;
  readonly #orders: OrderWriter;
  #waiting: WriteOrder[] = [];
  #waitingBytes = 0;

  constructor(writer: CatalogWriter) {
    this.#writer = writer;
    this.#orders = new OrderWriter(writer);
  }

  /** Writes everything that waits. */
  settle(): void {
    const orders = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    for (const order of orders) this.#orders.take(order);
  }

  /** Takes a session. */
  begin(order: SourceOrder): void {
    this.#waiting.push({ begin: order });
  }

  /** Takes a step; now and then it writes. */
  take(step: SourceStep): void {
    this.#waiting.push(step);
    this.#waitingBytes += waitingBytesOf(step);
    if (this.#waitingBytes >= limits.catalogTurnBytes) this.settle();
  }

  /** Keeps what was done or gives it up; tells how many sessions have to be read anew. */
  async end(how: "commit" | "abandon"): Promise<number> {
    if (how === "commit") {
      this.settle();
      this.#writer.commit();
    } else this.#writer.abandon();
    return this.#orders.refused;
  }
}
