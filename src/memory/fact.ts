import { asArray, asCount, asString, isObject, type JsonObject } from "../base/json.ts";
import {
  accessLevels,
  type Evidence,
  type MemoryEntry,
  type MemoryType,
  memoryTypes,
  provenances,
  statuses,
} from "./entry.ts";
import { asOneOf } from "./one-of.ts";
import type { StoredValue } from "./value.ts";

/** An entry as a line of the log holds it: everything but the namespace, the value encoded. */
export type StoredEntry = Omit<MemoryEntry, "value" | "namespace" | "accessedAt"> & StoredValue;

/** What one line of a namespace's log says. */
export type MemoryFact =
  /** An entry is new, or has a new version. */
  | { readonly kind: "put"; readonly op: string; readonly by: string; readonly entry: StoredEntry }
  /** Entries were forgotten: their text is gone from the log, this line stays. */
  | {
      readonly kind: "forget";
      readonly op: string;
      readonly by: string;
      readonly ids: readonly string[];
      /** Hashes of what they said, so that it is not proposed again. */
      readonly prints?: readonly string[];
      /** The type of each, in the order of the ids. */
      readonly types?: readonly MemoryType[];
    }
  /** Entries were looked at. */
  | {
      readonly kind: "touch";
      readonly op: string;
      readonly by: string;
      readonly ids: readonly string[];
    };

/** How the events of a namespace's log are named. */
const names = { put: "memory_put", forget: "memory_forget", touch: "memory_touch" } as const;

/** The name and the data of the event that says a fact. */
export function eventOfFact({ kind, ...data }: MemoryFact): {
  readonly name: string;
  readonly data: JsonObject;
} {
  return { name: names[kind], data: data as JsonObject };
}

/** The fact that an event says; undefined for any other event, and for one whose shape is wrong. */
export function factOfEvent(name: string, data: unknown): MemoryFact | undefined {
  if (!isObject(data)) return undefined;
  const op = asString(data["op"]);
  const by = asString(data["by"]);
  if (op === undefined || by === undefined) return undefined;
  if (name === names.put) {
    const entry = storedEntry(data["entry"]);
    return entry && { kind: "put", op, by, entry };
  }
  const kind = name === names.forget ? "forget" : name === names.touch ? "touch" : undefined;
  if (kind === undefined) return undefined;
  const ids = texts(data["ids"]);
  if (kind === "touch") return { kind, op, by, ids };
  const types = texts(data["types"]).flatMap((type) => asOneOf(type, memoryTypes) ?? []);
  const prints = texts(data["prints"]);
  return { kind, op, by, ids, prints, ...(types.length === ids.length && { types }) };
}

/** The entry that an object holds; undefined unless its shape is right. */
export function storedEntry(given: unknown): StoredEntry | undefined {
  if (!isObject(given)) return undefined;
  const text = (name: string): string | undefined => asString(given[name]);
  const [id, key, owner] = [text("id"), text("key"), text("owner")];
  const [createdAt, updatedAt, checksum] = [text("createdAt"), text("updatedAt"), text("checksum")];
  const [json, deflated] = [text("json"), text("deflated")];
  const version = asCount(given["version"]);
  const sizeBytes = asCount(given["sizeBytes"]);
  if (id === undefined || key === undefined || owner === undefined) return undefined;
  if (createdAt === undefined || updatedAt === undefined || checksum === undefined)
    return undefined;
  if (version === undefined || sizeBytes === undefined) return undefined;
  if (json === undefined && deflated === undefined) return undefined;
  const [expiresAt, supersedes] = [text("expiresAt"), text("supersedes")];
  const approvedBy = text("approvedBy");
  return {
    id,
    key,
    owner,
    createdAt,
    updatedAt,
    checksum,
    version,
    sizeBytes,
    compressed: deflated !== undefined,
    type: asOneOf(given["type"], memoryTypes) ?? "long-term",
    access: asOneOf(given["access"], accessLevels) ?? "private",
    status: asOneOf(given["status"], statuses) ?? "proposed",
    provenance: asOneOf(given["provenance"], provenances) ?? "imported",
    tags: texts(given["tags"]),
    metadata: isObject(given["metadata"]) ? given["metadata"] : {},
    references: texts(given["references"]),
    dependencies: texts(given["dependencies"]),
    evidence: asArray(given["evidence"]).flatMap((one) => evidenceOf(one) ?? []),
    ...(json !== undefined && { json }),
    ...(deflated !== undefined && { deflated }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(supersedes !== undefined && { supersedes }),
    ...(approvedBy !== undefined && { approvedBy }),
  };
}

/** The evidence that an object holds; undefined unless its shape is right. */
export function evidenceOf(given: unknown): Evidence | undefined {
  if (!isObject(given)) return undefined;
  const { kind, ref, path, sha256, commit, folder } = given;
  if (kind === "event" && typeof ref === "string") return { kind, ref };
  if (kind === "file" && typeof path === "string" && typeof sha256 === "string")
    return { kind, path, sha256 };
  if (kind !== "commit" || typeof commit !== "string") return undefined;
  return { kind, commit, ...(typeof folder === "string" && { folder }) };
}

function texts(given: unknown): readonly string[] {
  return asArray(given).filter((one): one is string => typeof one === "string");
}
