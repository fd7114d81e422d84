import { RepriseError } from "../base/errors.ts";
import { uuidv7 } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import type { StoredEntry } from "./fact.ts";
import { entryOfRecord } from "./formats/record.ts";
import { jsonOf, packJson } from "./value.ts";

/** What becomes of an imported memory whose key is taken. */
export const conflictRules = ["skip", "overwrite", "merge", "rename"] as const;
/** One of these rules. */
export type ConflictRule = (typeof conflictRules)[number];

/** What an import did. */
export interface Imported {
  readonly added: number;
  readonly overwritten: number;
  readonly merged: number;
  readonly renamed: number;
  readonly skipped: number;
  /** Records that are not memories. */
  readonly refused: number;
}

/** How records are brought in. */
export interface ImportOptions {
  /** What becomes of one whose key is taken. Default `skip`. */
  readonly conflict?: ConflictRule;
  /**
   * The records are an export of these memories: who said them, who agreed to them and whose they are is kept. Without
   * it they wait in the inbox and count as imported for ever.
   */
  readonly exact?: boolean;
}

/** What an import needs to know of the namespace it goes into. */
export interface ImportTarget {
  readonly owner: string;
  /** The newest version of the entry that has a key; undefined if it is free. */
  held(key: string): StoredEntry | undefined;
  /** Writes entries, all of them or none. */
  put(entries: readonly StoredEntry[]): Promise<void>;
}

/** Brings records into a namespace, many at once; a later record of the same key meets the earlier one. */
export async function importRecords(
  records: Iterable<unknown>,
  target: ImportTarget,
  { conflict: rule = "skip", exact = false }: ImportOptions = {},
): Promise<Imported> {
  const counts = { added: 0, overwritten: 0, merged: 0, renamed: 0, skipped: 0, refused: 0 };
  const fresh = new Map<string, StoredEntry>();
  let waiting: StoredEntry[] = [];
  const held = (key: string): StoredEntry | undefined => fresh.get(key) ?? target.held(key);
  for (const record of records) {
    const read = entryOfRecord(record);
    if (read === undefined || read.entry.key === "") {
      counts.refused += 1;
      continue;
    }
    const given = exact
      ? { ...read.entry, id: read.entry.id || uuidv7() }
      : foreign(read.entry, target.owner);
    const old = held(given.key);
    const next = old === undefined ? given : settled(old, given, rule, held);
    if (next === undefined) counts.skipped += 1;
    else {
      counts[old === undefined ? "added" : done[rule]] += 1;
      fresh.set(next.key, next);
      waiting.push(next);
    }
    if (waiting.length < limits.memoryBatch) continue;
    await target.put(waiting);
    waiting = [];
  }
  if (waiting.length > 0) await target.put(waiting);
  return counts;
}

/** An entry that somebody else made: its id may be another entry's here, and nobody here has agreed to it. */
function foreign(entry: StoredEntry, owner: string): StoredEntry {
  const { approvedBy: _agreed, ...rest } = entry;
  return { ...rest, id: uuidv7(), owner, provenance: "imported", status: "proposed" };
}

const done = {
  skip: "skipped",
  overwrite: "overwritten",
  merge: "merged",
  rename: "renamed",
} as const;

/** What is written where a key is taken; undefined if nothing is. */
function settled(
  old: StoredEntry,
  given: StoredEntry,
  rule: ConflictRule,
  held: (key: string) => StoredEntry | undefined,
): StoredEntry | undefined {
  if (rule === "skip" || (rule !== "rename" && isSame(old, given))) return undefined;
  if (rule === "rename") return { ...given, id: uuidv7(), key: freeKey(given.key, held) };
  const { id, createdAt, version } = old;
  const next = { ...given, id, createdAt, version: version + 1 };
  return rule === "overwrite" ? next : { ...next, ...mergedWith(old, given) };
}

function isSame(old: StoredEntry, given: StoredEntry): boolean {
  return old.checksum === given.checksum && old.tags.join("\n") === given.tags.join("\n");
}

/** Objects are joined field by field, lists and tags as sets; of anything else the newer one stays. */
function mergedWith(old: StoredEntry, given: StoredEntry): Partial<StoredEntry> {
  const [before, after] = [JSON.parse(jsonOf(old) ?? "null"), JSON.parse(jsonOf(given) ?? "null")];
  const isNewer = given.updatedAt >= old.updatedAt;
  const { json, deflated, ...size } = packJson(JSON.stringify(joined(before, after, isNewer)));
  return {
    ...size,
    ...(json !== undefined && { json }),
    ...(deflated !== undefined && { deflated }),
    tags: [...new Set([...old.tags, ...given.tags])],
    references: [...new Set([...old.references, ...given.references])],
    dependencies: [...new Set([...old.dependencies, ...given.dependencies])],
    evidence: uniqueJson([...old.evidence, ...given.evidence]),
    metadata: isNewer
      ? { ...old.metadata, ...given.metadata }
      : { ...given.metadata, ...old.metadata },
  };
}

function joined(before: unknown, after: unknown, isNewer: boolean): unknown {
  if (Array.isArray(before) && Array.isArray(after)) return uniqueJson([...before, ...after]);
  if (isPlain(before) && isPlain(after))
    return isNewer ? { ...before, ...after } : { ...after, ...before };
  return isNewer ? after : before;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return !Object.keys(value).some((key) => key.startsWith("$"));
}

function uniqueJson<T>(items: readonly T[]): readonly T[] {
  const seen = new Map(items.map((item) => [JSON.stringify(item), item]));
  return [...seen.values()];
}

function freeKey(key: string, held: (key: string) => StoredEntry | undefined): string {
  for (let number = 2; number <= limits.memoryEntries; number += 1) {
    const named = `${key.slice(0, limits.memoryKeyChars - 8)} (${number})`;
    if (held(named) === undefined) return named;
  }
  throw new RepriseError("too_large", `There are too many memories called ${key}.`);
}
