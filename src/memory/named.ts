import { RepriseError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { type MemoryEntry, memoryTypes } from "./entry.ts";
import type { MemoryQuery } from "./query.ts";
import { textOf } from "./value.ts";

/** Shorter beginnings of an id are words. */
const idStart = /^[0-9a-f][0-9a-f-]{3,}$/;

/** A query for whatever is there, in whichever state. */
export const everyMemory = { statuses: "all", expired: "any" } as const;

/**
 * The one entry that a reference names: its whole key or id, else the beginning of one, else what a list shows of it. Of
 * several with the same key the nearest is meant. Throws `not_found`, or `ambiguous` with what may be meant.
 */
export function entryNamed(
  reference: string,
  find: (query: MemoryQuery) => readonly MemoryEntry[],
  nearness: (entry: MemoryEntry) => number,
): MemoryEntry {
  const whole =
    reference === "" ? undefined : entryExactly(reference, find, { nearness, ...everyMemory });
  if (whole !== undefined) return whole;
  const limit = limits.memoryPage;
  const starts = reference === "" ? [] : [{ keyPrefix: reference }];
  const queries = idStart.test(reference) ? [{ idPrefix: reference }, ...starts] : starts;
  for (const query of queries) {
    const found = find({ ...query, ...everyMemory, limit });
    if (found.length === 1) return found[0]!;
    if (found.length > 1) throw ambiguous(reference, found);
  }
  const shown = entriesShownAs(reference, find);
  if (shown.length === 1) return shown[0]!;
  if (shown.length > 1) throw ambiguous(reference, shown);
  throw unknownMemory(
    reference,
    find({ text: reference, ...everyMemory, limit: limits.candidates }),
  );
}

/** The entries that a list shows with this text, or with one that begins with it: what is shown can be typed. */
function entriesShownAs(
  reference: string,
  find: (query: MemoryQuery) => readonly MemoryEntry[],
): readonly MemoryEntry[] {
  // A long line is cut within a word.
  const wanted = oneLine(reference.replace(/…$/, ""));
  const isCut = reference.endsWith("…");
  const words = wanted.replace(typeBefore, "").replace(isCut ? /\S+$/ : "", "");
  if (words.trim() === "") return [];
  const found = find({ text: words, ...everyMemory, limit: limits.memoryPage });
  const whole = found.filter((entry) => namesShown(entry).includes(wanted));
  if (whole.length > 0) return whole;
  return found.filter((entry) => namesShown(entry).some((name) => name.startsWith(wanted)));
}

const typeBefore = new RegExp(`^(?:${memoryTypes.join("|")}): `);

/** An entry whose key was made of its value is shown by its type and its value. */
function namesShown({ key, value, type, metadata }: MemoryEntry): readonly string[] {
  const text = oneLine(textOf(value));
  return metadata["keyOf"] === "value" ? [text, `${type}: ${text}`] : [`${key}: ${text}`];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The error for a key or id that no entry has, as far as the caller may see. */
export function unknownMemory(
  reference: string,
  /** Those that have its words. */
  having: readonly MemoryEntry[] = [],
): RepriseError {
  const [one] = having;
  if (one !== undefined) {
    const name = one.metadata["keyOf"] === "value" ? oneLine(textOf(one.value)) : one.key;
    return new RepriseError("not_found", `No memory begins with ${JSON.stringify(reference)}.`, {
      hint: `Did you mean ${JSON.stringify(name)}? Nothing was changed.`,
    });
  }
  return new RepriseError("not_found", `There is no memory ${JSON.stringify(reference)}.`, {
    hint: "`reprise memory list` shows what is there, with --all of every project; nothing was changed.",
  });
}

/** The entry of a whole key, the nearest of several, or of a whole id. */
export function entryExactly(
  keyOrId: string,
  find: (query: MemoryQuery) => readonly MemoryEntry[],
  options: Pick<MemoryQuery, "statuses" | "expired"> & { nearness(entry: MemoryEntry): number },
): MemoryEntry | undefined {
  const { nearness, ...which } = options;
  const byKey = find({ key: keyOrId, ...which }).toSorted((a, b) => nearness(b) - nearness(a))[0];
  return byKey ?? find({ ids: [keyOrId], ...which, statuses: "all" })[0];
}

function ambiguous(reference: string, found: readonly MemoryEntry[]): RepriseError {
  const candidates = found.slice(0, limits.candidates).map(({ id, key, value }) => ({
    ref: id,
    title: `${key}: ${textOf(value).slice(0, 80).toWellFormed()}`,
  }));
  const says = `${JSON.stringify(reference)} matches ${found.length} memories:`;
  return new RepriseError("ambiguous", says, {
    hint: "Give the whole key or more of the id; nothing was changed.",
    details: { reference, count: found.length, candidates },
  });
}
