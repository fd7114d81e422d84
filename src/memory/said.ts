import { isoNow } from "../base/clock.ts";
import { RepriseError } from "../base/errors.ts";
import { type MemoryEntry, type Provenance, userOwner } from "./entry.ts";
import type { StoredEntry } from "./fact.ts";

/** Only the user says what the user said: of anybody else it is a claim. */
export function said<Given extends { readonly provenance?: Provenance }>(
  given: Given,
  owner: string,
): Given {
  if (owner === userOwner || (given.provenance ?? "user") !== "user") return given;
  return { ...given, provenance: "assistant" };
}

/** The error for somebody else who decides what waits for the user. */
export function onlyTheUser({ key }: MemoryEntry): RepriseError {
  return new RepriseError("no_permission", `${JSON.stringify(key)} waits for the user.`, {
    hint: "The user decides with `reprise memory inbox`.",
  });
}

/** The same entry with what was stored last; who made it and when stays. */
export function nextVersion(old: StoredEntry, given: StoredEntry): StoredEntry {
  const { id, createdAt, version } = old;
  return { ...given, id, createdAt, updatedAt: isoNow(), version: version + 1 };
}
