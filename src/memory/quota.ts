import { settingsFile } from "../agents/user-agents.ts";
import type { Environment } from "../base/env.ts";
import { RepriseError } from "../base/errors.ts";
import { smallFile } from "../base/folders.ts";
import { isObject, parseObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import type { StoredEntry } from "./fact.ts";

/** How much a namespace may hold. */
export interface Quota {
  readonly mostEntries: number;
  /** Of one value as JSON; never more than the format holds. */
  readonly mostEntryBytes: number;
}

/** What a caller asks for, else what the user set (`memory.maxEntries`, `memory.maxEntryBytes`), else the defaults. */
export function quotaOf(given: Partial<Quota>, env: Environment): Quota {
  const text = smallFile(settingsFile(env), limits.settingsBytes);
  const memory = (text === undefined ? undefined : parseObject(text))?.["memory"];
  const set = (name: string): number | undefined => {
    const value = isObject(memory) ? memory[name] : undefined;
    return typeof value === "number" && Number.isSafeInteger(value) && value > 0
      ? value
      : undefined;
  };
  const bytes = given.mostEntryBytes ?? set("maxEntryBytes") ?? limits.memoryEntryBytes;
  return {
    mostEntries: given.mostEntries ?? set("maxEntries") ?? limits.memoryEntries,
    mostEntryBytes: Math.min(bytes, limits.memoryEntryBytes),
  };
}

/** Throws `too_large` if entries do not fit into what a namespace may hold. */
export function checkQuota(
  entries: readonly StoredEntry[],
  { mostEntries, mostEntryBytes }: Quota,
  { held, name }: { readonly held: number; readonly name: string },
): void {
  const large = entries.find(({ sizeBytes }) => sizeBytes > mostEntryBytes);
  if (large !== undefined)
    throw new RepriseError("too_large", `${large.key} has ${large.sizeBytes} bytes.`, {
      hint: `A memory may have ${mostEntryBytes} bytes: \`reprise config\` has memory.maxEntryBytes.`,
      details: { sizeBytes: large.sizeBytes },
    });
  const added = new Set(entries.filter(({ version }) => version === 1).map(({ id }) => id)).size;
  if (added === 0 || held + added <= mostEntries) return;
  throw new RepriseError("too_large", `${name} has ${held} memories; it may have ${mostEntries}.`, {
    hint: "Clean up with `reprise memory clean`, or raise memory.maxEntries with `reprise config`.",
  });
}
