import { limits } from "../../../base/limits.ts";
import type { Damage } from "../../../model/damage.ts";
import type { AgentEvent, Cursor, ReadBatch } from "../../contract.ts";
import type { UnknownTally } from "../record-types.ts";

const eventsPerBatch = 64;

/** Gathers events and damage into small batches, so that memory stays flat. */
export class Batches {
  #events: AgentEvent[] = [];
  #damage: Damage[] = [];
  #told = 0;
  #untold = 0;
  #restart: boolean;
  readonly tally: UnknownTally;

  constructor(tally: UnknownTally, options: { readonly restart?: boolean } = {}) {
    this.tally = tally;
    this.#restart = options.restart ?? false;
  }

  event(event: AgentEvent): void {
    this.#events.push(event);
  }

  damage(damage: Damage): void {
    this.#told += 1;
    if (this.#told <= limits.toldDamages) this.#damage.push(damage);
    else this.#untold += 1;
  }

  get isFull(): boolean {
    return this.#events.length >= eventsPerBatch || this.#damage.length >= eventsPerBatch;
  }

  get isEmpty(): boolean {
    return this.#events.length === 0 && this.#damage.length === 0 && !this.#restart;
  }

  /** What was gathered, with the cursor after it. */
  take(cursor: Cursor): ReadBatch {
    const batch = {
      events: this.#events,
      damage: this.#damage,
      cursor,
      ...(this.#restart ? { restart: true } : {}),
      ...this.tally.take(),
    };
    this.#events = [];
    this.#damage = [];
    this.#restart = false;
    return batch;
  }

  /** The last batch: also says how many damages were not told one by one. */
  last(cursor: Cursor): ReadBatch {
    if (this.#untold > 0) {
      const detail = `${this.#untold} more damaged records`;
      this.#damage.push({ kind: "bad_json", offset: 0, recovered: 0, detail });
      this.#untold = 0;
    }
    return this.take(cursor);
  }
}
