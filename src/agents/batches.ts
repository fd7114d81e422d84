import { limits } from "../base/limits.ts";
import type { Damage } from "../model/damage.ts";
import type { AgentEvent, Cursor, ReadBatch } from "./contract.ts";

/** Counts what a reader does not know, by name. */
export class UnknownCounts {
  #counts = new Map<string, number>();

  add(name: string, count = 1): void {
    // Names come from the file: how many are reported apart is bounded, their sum is not lost.
    const known = this.#counts.has(name) || this.#counts.size < limits.unknownTypes;
    const key = known ? name : "(others)";
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
  }

  /** What was counted since the last call, as a batch states it. */
  take(): { readonly unknown?: Readonly<Record<string, number>> } {
    if (this.#counts.size === 0) return {};
    const unknown = Object.fromEntries(this.#counts);
    this.#counts = new Map();
    return { unknown };
  }
}

/** Gathers what a reader finds into small batches, so that memory stays flat (P5). */
export class Batches {
  readonly unknown = new UnknownCounts();
  #events: AgentEvent[] = [];
  #damage: Damage[] = [];
  #bytes = 0;
  #damages = 0;
  #restart: boolean;

  /** With `restart` the first batch says that what was read before is to be forgotten. */
  constructor(options: { readonly restart?: boolean } = {}) {
    this.#restart = options.restart ?? false;
  }

  event(event: AgentEvent): void {
    this.#events.push(event);
  }

  /** Damage beyond a bound is only counted: a file may hold nothing else. */
  damage(damage: Damage): void {
    this.#damages += 1;
    if (this.#damages <= limits.toldDamages) this.#damage.push(damage);
  }

  /** Counts the bytes of what was read for the batch. */
  read(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Whether it is time to hand out a batch. */
  get isFull(): boolean {
    const { length } = this.#events;
    const isLong = length >= limits.batchEvents || this.#damage.length >= limits.batchEvents;
    return isLong || (length > 0 && this.#bytes >= limits.batchBytes);
  }

  /** What was gathered, with the cursor after it; begins anew. */
  take(cursor: Cursor): ReadBatch {
    const batch = {
      events: this.#events,
      damage: this.#damage,
      cursor,
      ...(this.#restart && { restart: true }),
      ...this.unknown.take(),
    };
    this.#events = [];
    this.#damage = [];
    this.#bytes = 0;
    this.#restart = false;
    return batch;
  }

  /** The last batch: also says how many damages were not told one by one. */
  last(cursor: Cursor): ReadBatch {
    const untold = this.#damages - limits.toldDamages;
    if (untold > 0) {
      const detail = `${untold} more damaged records`;
      this.#damage.push({ kind: "bad_record", offset: 0, recovered: 0, detail });
      this.#damages = 0;
    }
    return this.take(cursor);
  }
}
