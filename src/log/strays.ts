import { linesBackward } from "../jsonl/read-backward.ts";
import type { EventId, SessionEvent } from "../model/event.ts";
import { expectedSum, idOf } from "./line.ts";

/*
 * A writer that lost its lease in the instant before it wrote leaves whole lines behind another's. They repeat
 * numbers and do not follow the line before them. The next holder of the lease sets them aside; until then readers
 * pass over them, so that nobody reads a number twice.
 */

/** Says strays from the lines of a log that is read from some line to its end. */
export class StrayFilter {
  /** The last number that was reached by counting: one that is ahead of its time makes nothing a stray. */
  #counted: EventId;
  #last: EventId = 0;
  #lastSum: string | undefined;
  /** The sum of the stray before; undefined if a line of the log came before. */
  #straySum: string | undefined;

  constructor(first: EventId = 0) {
    this.#counted = first;
  }

  /** Whether an event's line is a stray. */
  isStray({ id, sum = "" }: Pick<SessionEvent, "id" | "sum">, line: Buffer): boolean {
    const isRepeated = id <= this.#counted;
    if (!isRepeated && this.#straySum === undefined) {
      this.#follows(id, sum);
      return false;
    }
    const isOfLog = !isRepeated && this.#fits(line, sum, this.#lastSum);
    const isOfStray = this.#fits(line, sum, this.#straySum);
    if (isRepeated || (!isOfLog && isOfStray)) {
      this.#straySum = sum;
      return true;
    }
    this.#straySum = undefined;
    this.#follows(id, sum);
    return false;
  }

  #follows(id: EventId, sum: string): void {
    if (id === this.#last + 1 || id === this.#counted + 1) this.#counted = id;
    this.#last = id;
    this.#lastSum = sum;
  }

  #fits(line: Buffer, sum: string, after: string | undefined): boolean {
    return after !== undefined && expectedSum(line, after) === sum;
  }
}

/** Whether a line's number is not greater than that of the line before it, which is read for it. */
export function isOutOfOrder(
  fd: number,
  line: { readonly offset: number; readonly id: EventId },
): boolean {
  for (const before of linesBackward(fd, { end: line.offset, firstChunkBytes: 4096 })) {
    const id = idOf(before.bytes);
    return id !== undefined && id >= line.id;
  }
  return false;
}
