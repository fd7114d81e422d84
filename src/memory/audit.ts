import type { MemoryEntry, MemoryType } from "./entry.ts";
import type { NamespaceLog } from "./namespace-log.ts";
import { decodeValue, jsonOf } from "./value.ts";

/** One change: who did what to which entries when. */
export interface AuditLine {
  readonly at: string;
  readonly by: string;
  readonly action: "store" | "update" | "forget";
  readonly ids: readonly string[];
  /** Of what was forgotten: the type of each. */
  readonly types?: readonly MemoryType[];
  /** The key; absent once the entry was forgotten, and of what is private to somebody else. */
  readonly key?: string;
  readonly version?: number;
}

/** One version of an entry. */
export interface MemoryVersion {
  readonly version: number;
  readonly at: string;
  readonly by: string;
  readonly value: unknown;
  readonly status: string;
}

/** The newest changes of a namespace, the newest first, as far as a reader may know. */
export function auditOf(
  log: NamespaceLog,
  { limit, reader }: { readonly limit: number; readonly reader: string },
): readonly AuditLine[] {
  const lines: AuditLine[] = [];
  for (const { at, fact } of log.facts()) {
    if (fact.kind === "touch") continue;
    if (fact.kind === "forget") {
      const { by, ids, types } = fact;
      lines.push({ at, by, action: "forget", ids, ...(types !== undefined && { types }) });
    } else {
      const { id, key, version } = fact.entry;
      const action = version === 1 ? "store" : "update";
      const named = isOpenTo(reader, fact.entry) ? { key } : {};
      lines.push({ at, by: fact.by, action, ids: [id], ...named, version });
    }
    if (lines.length > limit) lines.shift();
  }
  return lines.reverse();
}

/** Every version of an entry that a reader may see, the newest first. */
export function versionsOf(
  log: NamespaceLog,
  { id }: Pick<MemoryEntry, "id">,
  reader: string,
): readonly MemoryVersion[] {
  const versions: MemoryVersion[] = [];
  for (const { at, fact } of log.facts()) {
    if (fact.kind !== "put" || fact.entry.id !== id) continue;
    const json = jsonOf(fact.entry);
    if (json === undefined || !isOpenTo(reader, fact.entry)) continue;
    const { version, status } = fact.entry;
    versions.push({ version, at, by: fact.by, value: decodeValue(json), status });
  }
  return versions.reverse();
}

/** A version that was private stays so, whatever became of the entry later. */
function isOpenTo(
  reader: string,
  { access, owner }: Pick<MemoryEntry, "access" | "owner">,
): boolean {
  return access !== "private" || owner === reader;
}
