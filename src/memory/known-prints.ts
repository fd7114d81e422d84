import { limits } from "../base/limits.ts";
import type { Status } from "./entry.ts";
import type { Memory } from "./memory.ts";
import { everyMemory } from "./named.ts";
import { printOf } from "./print.ts";

/** What became of a statement: where its entry stands, or that it was forgotten. */
export type Known = Status | "forgotten";

/** The prints of everything that is remembered, waits, was rejected or was forgotten; of two the one in use counts. */
export async function knownPrints(memory: Memory): Promise<ReadonlyMap<string, Known>> {
  // What was forgotten stays in the session or page it came from, and is not taken from there again.
  const prints = new Map<string, Known>();
  for (const print of memory.forgottenPrints()) prints.set(print, "forgotten");
  const note = (print: string, status: Status): void => {
    if (prints.get(print) !== "kept") prints.set(print, status);
  };
  for (let offset = 0; ; offset += limits.memoryPage) {
    const { entries } = await memory.query({
      ...everyMemory,
      limit: limits.memoryPage,
      offset,
    });
    for (const { value, metadata, status } of entries) {
      if (typeof metadata["print"] === "string") note(metadata["print"], status);
      if (typeof value === "string") note(printOf(value), status);
    }
    if (entries.length < limits.memoryPage) return prints;
  }
}
