import { limits } from "../../../base/limits.ts";
import type { Damage } from "../../../model/damage.ts";
import type { AgentEvent, ReadBatch } from "../../contract.ts";

/** Gathers what is read until it is enough for a batch. */
export class Gathered {
  #events: AgentEvent[] = [];
  #damage: Damage[] = [];
  readonly #unknown = new Map<string, number>();
  #bytes = 0;
  #restart: boolean;

  constructor(options: { readonly restart?: boolean } = {}) {
    this.#restart = options.restart ?? false;
  }

  add(part: {
    readonly events?: readonly AgentEvent[];
    readonly damage?: Damage | undefined;
  }): void {
    for (const event of part.events ?? []) this.#events.push(event);
    if (part.damage !== undefined) this.#damage.push(part.damage);
  }

  addUnknown(name: string): void {
    // Names come from the file: how many are told apart is bounded, their sum is not lost.
    const key =
      this.#unknown.has(name) || this.#unknown.size < limits.unknownTypes ? name : "(others)";
    this.#unknown.set(key, (this.#unknown.get(key) ?? 0) + 1);
  }

  /** Counts read bytes; true when it is time to hand out a batch. */
  isFull(bytes: number): boolean {
    this.#bytes += bytes;
    const { length } = this.#events;
    return (
      length >= limits.batchEvents ||
      this.#damage.length >= limits.batchEvents ||
      (length > 0 && this.#bytes >= limits.batchBytes)
    );
  }

  /** What was gathered, as a batch; begins anew. */
  take(cursor: string): ReadBatch {
    const batch: ReadBatch = {
      events: this.#events,
      damage: this.#damage,
      cursor,
      ...(this.#restart && { restart: true }),
      ...(this.#unknown.size > 0 && { unknown: Object.fromEntries(this.#unknown) }),
    };
    this.#events = [];
    this.#damage = [];
    this.#unknown.clear();
    this.#bytes = 0;
    this.#restart = false;
    return batch;
  }
}
