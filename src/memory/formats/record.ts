import { isObject } from "../../base/json.ts";
import type { MemoryEntry } from "../entry.ts";
import { type StoredEntry, storedEntry } from "../fact.ts";
import { encodeValue, jsonOf, packJson } from "../value.ts";

/** The fields of an exported memory, in the order every format writes them. */
export const recordFields = [
  "id",
  "key",
  "value",
  "type",
  "namespace",
  "tags",
  "metadata",
  "owner",
  "access",
  "status",
  "provenance",
  "createdAt",
  "updatedAt",
  "accessedAt",
  "expiresAt",
  "version",
  "sizeBytes",
  "compressed",
  "checksum",
  "references",
  "dependencies",
  "evidence",
  "supersedes",
  "approvedBy",
] as const;

/** A memory as every format holds it: fields of plain JSON, the value with marks for what JSON cannot hold. */
export type MemoryRecord = Readonly<Record<string, unknown>>;

/** A memory as a record. */
export function recordOf(entry: MemoryEntry): MemoryRecord {
  const value: unknown = JSON.parse(jsonOf(encodeValue(entry.value))!);
  const fields = recordFields.map((name) => [name, name === "value" ? value : entry[name]]);
  return Object.fromEntries(fields.filter(([, held]) => held !== undefined));
}

/** The entry that a record describes, and the namespace it names; undefined if what must be there is not. */
export function entryOfRecord(
  given: unknown,
): { readonly entry: StoredEntry; readonly namespace: string | undefined } | undefined {
  if (!isObject(given) || !("value" in given) || given["value"] === undefined) return undefined;
  const now = new Date().toISOString();
  const entry = storedEntry({
    owner: "user",
    createdAt: now,
    updatedAt: now,
    version: 1,
    status: "kept",
    access: "shared",
    id: "",
    ...given,
    ...packJson(JSON.stringify(given["value"])),
  });
  const { namespace } = given;
  return entry && { entry, namespace: typeof namespace === "string" ? namespace : undefined };
}
