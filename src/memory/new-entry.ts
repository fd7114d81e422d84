import { isoNow, isoOf, timeOf } from "../base/clock.ts";
import { RepriseError } from "../base/errors.ts";
import { uuidv7 } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import {
  accessLevels,
  type Evidence,
  type MemoryChange,
  memoryTypes,
  type NewMemory,
  provenances,
  statuses,
} from "./entry.ts";
import { evidenceOf, type StoredEntry } from "./fact.ts";
import { asOneOf } from "./one-of.ts";
import { encodeValue } from "./value.ts";

/** The first version of an entry, checked; throws `bad_input` or `too_large` for what cannot be stored. */
export function newEntry(given: NewMemory, owner: string): StoredEntry {
  const now = isoNow();
  const type = oneOf("type", given.type ?? "long-term", memoryTypes);
  const expiresAt = expiryOf(given, type === "short-term" ? limits.memoryShortTermMs : undefined);
  return {
    id: uuidv7(),
    key: checkedKey(given.key),
    ...encodeValue(given.value),
    type,
    owner,
    tags: checkedTexts("tags", given.tags, limits.memoryTags),
    metadata: checkedMetadata(given.metadata),
    access: oneOf("access", given.access ?? "shared", accessLevels),
    status: oneOf("status", given.status ?? "kept", statuses),
    provenance: oneOf("provenance", given.provenance ?? "user", provenances),
    createdAt: now,
    updatedAt: now,
    version: 1,
    references: checkedTexts("references", given.references, limits.memoryLinks),
    dependencies: checkedTexts("dependencies", given.dependencies, limits.memoryLinks),
    evidence: checkedEvidence(given.evidence),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(given.supersedes !== undefined && { supersedes: checkedKey(given.supersedes) }),
  };
}

/** The next version of an entry; undefined if the change changes nothing. */
export function changedEntry(old: StoredEntry, change: MemoryChange): StoredEntry | undefined {
  const { expiresAt: oldExpiry, json, deflated, ...rest } = old;
  const value =
    "value" in change
      ? encodeValue(change.value)
      : { ...(json !== undefined && { json }), ...(deflated !== undefined && { deflated }) };
  const type = oneOf("type", change.type ?? old.type, memoryTypes);
  const expiresAt =
    change.expiresAt === null ? undefined : (expiryOf({ ...change }, undefined) ?? oldExpiry);
  const next: StoredEntry = {
    ...rest,
    ...value,
    type,
    ...(change.tags && { tags: checkedTexts("tags", change.tags, limits.memoryTags) }),
    ...(change.metadata && { metadata: checkedMetadata(change.metadata) }),
    ...(change.access && { access: oneOf("access", change.access, accessLevels) }),
    ...(change.status && { status: oneOf("status", change.status, statuses) }),
    ...(change.provenance && { provenance: oneOf("provenance", change.provenance, provenances) }),
    ...(change.references && {
      references: checkedTexts("references", change.references, limits.memoryLinks),
    }),
    ...(change.dependencies && {
      dependencies: checkedTexts("dependencies", change.dependencies, limits.memoryLinks),
    }),
    ...(change.evidence && { evidence: checkedEvidence(change.evidence) }),
    ...(change.supersedes !== undefined && { supersedes: checkedKey(change.supersedes) }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
  if (JSON.stringify(sorted(next)) === JSON.stringify(sorted(old))) return undefined;
  return { ...next, version: old.version + 1, updatedAt: isoNow() };
}

function sorted(entry: StoredEntry): readonly (readonly [string, unknown])[] {
  return Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1));
}

function checkedKey(key: unknown): string {
  const isKey =
    typeof key === "string" &&
    key.length > 0 &&
    key.length <= limits.memoryKeyChars &&
    !/[\u0000-\u001f\u007f]/.test(key);
  if (isKey) return key;
  throw new RepriseError("bad_input", "This is not a key for a memory.", {
    hint: `A key has 1 to ${limits.memoryKeyChars} characters on one line.`,
  });
}

function oneOf<Word extends string>(what: string, value: unknown, words: readonly Word[]): Word {
  const word = asOneOf(value, words);
  if (word !== undefined) return word;
  throw new RepriseError("bad_input", `${JSON.stringify(value)} is not a ${what} of memories.`, {
    hint: `Use one of: ${words.join(", ")}.`,
  });
}

function checkedTexts(what: string, given: unknown, most: number): readonly string[] {
  if (given === undefined) return [];
  const texts = Array.isArray(given) ? [...new Set(given)] : [];
  const areTexts = Array.isArray(given) && texts.every((one) => typeof one === "string" && one);
  if (areTexts && texts.length <= most && texts.every((one) => one.length <= limits.memoryKeyChars))
    return texts;
  throw new RepriseError("bad_input", `The ${what} of a memory are not valid.`, {
    hint: `Give up to ${most} texts of up to ${limits.memoryKeyChars} characters.`,
  });
}

function checkedMetadata(given: NewMemory["metadata"] = {}): Readonly<Record<string, unknown>> {
  const { json, deflated, sizeBytes } = encodeValue(given);
  if (sizeBytes > limits.memoryMetadataBytes) {
    throw new RepriseError("too_large", `The metadata has ${sizeBytes} bytes.`, {
      hint: `It may have ${limits.memoryMetadataBytes}. Put large content into the value.`,
    });
  }
  return json === undefined && deflated === undefined ? {} : given;
}

function checkedEvidence(given: readonly Evidence[] = []): readonly Evidence[] {
  const sound = given.flatMap((one) => evidenceOf(one) ?? []);
  if (sound.length === given.length && sound.length <= limits.memoryLinks) return sound;
  throw new RepriseError("bad_input", "The evidence of a memory is not valid.", {
    hint: "Evidence is an event's reference, a path with its SHA-256, or a commit.",
  });
}

function expiryOf(
  given: { readonly ttlMs?: number; readonly expiresAt?: string | null },
  defaultMs: number | undefined,
): string | undefined {
  if (typeof given.expiresAt === "string") {
    const ms = timeOf(given.expiresAt);
    if (ms === undefined) throw new RepriseError("bad_input", "`expiresAt` is not a time.");
    return isoOf(ms);
  }
  const ttlMs = given.ttlMs ?? defaultMs;
  if (ttlMs === undefined) return undefined;
  if (!Number.isFinite(ttlMs) || ttlMs <= 0)
    throw new RepriseError("bad_input", "`ttlMs` is not a positive number.");
  return isoOf(Math.min(Date.now() + ttlMs, lastMs));
}

const lastMs = Date.UTC(9999, 11, 31);
