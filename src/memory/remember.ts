import { conflictsWith } from "./conflicts.ts";
import type { MemoryEntry, NewMemory } from "./entry.ts";
import type { Memory } from "./memory.ts";
import { plainLine } from "./plain-text.ts";

/** What was remembered, and what it replaces. */
export interface Remembered {
  readonly entry: MemoryEntry;
  /** Older memories on the same subject; the newest statement of the user wins. */
  readonly replaced: readonly MemoryEntry[];
  /** The version that the memory had before; 0 for a new one. */
  readonly before: number;
}

/** A sentence to remember; a key is made of it if none is given. */
export type ToRemember = Omit<NewMemory, "key" | "value"> & {
  readonly text: string;
  readonly key?: string;
};

const keyChars = 80;

/**
 * Remembers a sentence. If it says something else about a subject than older memories do, it replaces them: they stay, and
 * recall marks them as older.
 */
export async function remember(memory: Memory, given: ToRemember): Promise<Remembered> {
  const { text, key, metadata, ...rest } = given;
  const stored = await memory.store({
    ...rest,
    key: key ?? plainLine(text, keyChars),
    value: text,
    metadata: { ...metadata, ...(key === undefined && { keyOf: "value" }) },
  });
  const mine = (await conflictsWith(memory, stored)).filter(({ newer }) => newer.id === stored.id);
  const [first] = mine;
  const before = stored.version - 1;
  if (first === undefined || stored.status !== "kept")
    return { entry: stored, replaced: [], before };
  const entry = await memory.update(stored.id, { supersedes: first.older.id });
  return { entry, replaced: mine.map(({ older }) => older), before };
}
