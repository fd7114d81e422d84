import { limits } from "../base/limits.ts";
import type { MemoryEntry } from "./entry.ts";
import type { Memory } from "./memory.ts";
import { type Clash, clashOf, statementOf } from "./recall/statement.ts";
import { textOf } from "./value.ts";

/** Two memories that say different things about one subject. */
export interface MemoryConflict {
  readonly newer: MemoryEntry;
  readonly older: MemoryEntry;
  readonly why: Clash;
  /** Somebody decided: the newer one replaces the older one. */
  readonly isSettled: boolean;
}

/** How many memories are looked at, and how many like each. */
const lookedAt = 2_000;
const alike = 6;
const comparedChars = 400;

/** The memories in use that contradict or update each other, the newest first. */
export async function conflictsIn(memory: Memory): Promise<readonly MemoryConflict[]> {
  const found = new Map<string, MemoryConflict>();
  for (let offset = 0; offset < lookedAt; offset += limits.memoryPage) {
    const { entries } = await memory.query({ limit: limits.memoryPage, offset });
    for (const entry of entries)
      for (const conflict of await conflictsWith(memory, entry))
        found.set(`${conflict.newer.id} ${conflict.older.id}`, conflict);
    if (entries.length < limits.memoryPage) break;
  }
  return [...found.values()].sort((a, b) => (a.newer.updatedAt < b.newer.updatedAt ? 1 : -1));
}

/** The memories that say something else than one of them does. */
export async function conflictsWith(
  memory: Memory,
  entry: MemoryEntry,
): Promise<readonly MemoryConflict[]> {
  const similarTo = sentenceOf(entry);
  const { entries } = await memory.query({ similarTo, limit: alike });
  return entries.flatMap((other) => {
    if (other.id === entry.id || other.checksum === entry.checksum) return [];
    const [newer, older] =
      entry.updatedAt >= other.updatedAt ? ([entry, other] as const) : ([other, entry] as const);
    const isReplaced = newer.supersedes === older.id || newer.supersedes === older.key;
    const isSameKey = newer.key === older.key;
    const clash = clashOf(statementOf(sentenceOf(older)), statementOf(sentenceOf(newer)));
    const why = clash ?? (isReplaced || isSameKey ? "update" : undefined);
    return why === undefined ? [] : [{ newer, older, why, isSettled: isReplaced }];
  });
}

/** A memory as one sentence: its key names the subject, unless the key was made of the value. */
function sentenceOf({ key, value, metadata }: MemoryEntry): string {
  const said = textOf(value).slice(0, comparedChars);
  return metadata["keyOf"] === "value" ? said : `${key}: ${said}`;
}
