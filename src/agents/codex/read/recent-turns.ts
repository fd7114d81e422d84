import { limits } from "../../../base/limits.ts";
import type { Kept } from "./rewritten-history.ts";

/** Where a person's turn begins. */
export interface Turn {
  /** Where a roll-back of this turn cuts: its context items go with it. */
  readonly cut: number;
  readonly kept: Kept;
  /** Index in the items of a replacement, where the turn is part of one. */
  readonly inBase?: number;
  /** Tokens, as Codex estimates them; undefined if it is not a prompt of a person. */
  readonly promptTokens?: number;
}

/**
 * The newest turns of a history. A compaction keeps the newest prompts of them: it looks only at what came since the one
 * before, so that compactions without end cost no more than their records.
 */
export class RecentTurns {
  #turns: Turn[] = [];
  /** What lies before was dropped. */
  #from = 0;
  #tokens = 0;
  /** No turn before this one is anything but a prompt. */
  #promptsTo = 0;
  /** So many of the first are what a compaction kept. */
  inBase = 0;

  get length(): number {
    return this.#turns.length - this.#from;
  }

  at(index: number): Turn | undefined {
    return this.#turns[this.#from + index];
  }

  push(turn: Turn): void {
    if (turn.promptTokens !== undefined && this.#promptsTo === this.#turns.length)
      this.#promptsTo += 1;
    this.#turns.push(turn);
    this.#tokens += turn.promptTokens ?? 0;
    if (this.length > 2 * limits.rememberedPrompts) this.#drop(limits.rememberedPrompts);
  }

  clear(): void {
    this.#turns = [];
    this.#from = 0;
    this.#tokens = 0;
    this.#promptsTo = 0;
    this.inBase = 0;
  }

  /** Leaves only the first so many. */
  cut(length: number): void {
    while (this.length > length) this.#tokens -= this.#turns.pop()!.promptTokens ?? 0;
    this.#promptsTo = Math.min(this.#promptsTo, this.#turns.length);
    this.inBase = Math.min(this.inBase, length);
  }

  /** Leaves only the newest prompts, as many as have so many tokens; returns how many they have. */
  keepPrompts(tokens: number): number {
    const others = this.#turns.splice(this.#promptsTo);
    this.#promptsTo += others.length;
    for (const turn of others) {
      if (turn.promptTokens !== undefined) this.#turns.push(turn);
      else this.#promptsTo -= 1;
    }
    let dropped = 0;
    for (; dropped < this.length; dropped += 1) {
      const first = this.at(dropped)!.promptTokens!;
      const isMany = this.length - dropped > limits.rememberedPrompts;
      if (this.#tokens - first < tokens && !isMany) break;
      this.#tokens -= first;
    }
    this.#from += dropped;
    this.#forget();
    return this.#tokens;
  }

  /** What a compaction kept, in order. */
  keptInBase(): Kept[] {
    return this.#turns.slice(this.#from, this.#from + this.inBase).map(({ kept }) => kept);
  }

  #drop(count: number): void {
    for (let index = 0; index < count; index += 1)
      this.#tokens -= this.at(index)!.promptTokens ?? 0;
    this.#from += count;
    this.inBase = Math.max(0, this.inBase - count);
    this.#promptsTo = Math.max(this.#promptsTo, this.#from);
    this.#forget();
  }

  /** Lets go of what was dropped, once it is more than is kept. */
  #forget(): void {
    if (this.#from <= this.length) return;
    this.#turns = this.#turns.slice(this.#from);
    this.#promptsTo -= this.#from;
    this.#from = 0;
  }
}
