import type { MemoryChange, MemoryEntry, NewMemory } from "./entry.ts";
import type { StoredEntry } from "./fact.ts";
import type { MemoryQuery } from "./query.ts";

/** What a caller wants to hear of. What a `before` throws stops the call; nothing was changed then. */
export interface Callbacks {
  beforeStore?(given: readonly (NewMemory | MemoryChange)[]): void | Promise<void>;
  afterStore?(entries: readonly MemoryEntry[]): void | Promise<void>;
  /** A key or id, or what a query asks for. */
  beforeRetrieve?(asked: string | MemoryQuery): void | Promise<void>;
  afterRetrieve?(entries: readonly MemoryEntry[]): void | Promise<void>;
  beforePersist?(entries: readonly StoredEntry[]): void | Promise<void>;
  afterPersist?(entries: readonly StoredEntry[]): void | Promise<void>;
  /** What other processes wrote is about to be taken over: see `Memory.sync`. */
  beforeSync?(): void | Promise<void>;
  afterSync?(): void | Promise<void>;
}

/** Calls one of them and waits for it; nothing happens if it was not given. */
export async function call<Name extends keyof Callbacks>(
  callbacks: Callbacks | undefined,
  name: Name,
  ...args: Parameters<NonNullable<Callbacks[Name]>>
): Promise<void> {
  const callback = callbacks?.[name] as ((...given: unknown[]) => void | Promise<void>) | undefined;
  await callback?.(...args);
}
