import { limits } from "../../base/limits.ts";
import { stem } from "../../catalog/query/stem.ts";
import { isStopWord } from "../../catalog/query/stop-words.ts";
import { wordsOf } from "../../catalog/query/words.ts";
import type { FoundMemory } from "../find.ts";
import { isInjectable } from "../injectable.ts";
import type { Memory } from "../memory.ts";
import { plainLine } from "../plain-text.ts";
import { isStale } from "../stale.ts";
import { textOf } from "../value.ts";
import { sharedPart } from "./alike.ts";
import type { RecalledEntry } from "./answer.ts";

/** A memory that may answer, and which part of what was asked it has. */
export interface EntryAnswer {
  readonly entry: RecalledEntry;
  readonly coverage: number;
}

/**
 * The memories that share words with a question, or have others for the same things, and that its reader may see, best
 * first.
 */
export async function entriesFor(
  memory: Memory,
  sought: readonly string[],
): Promise<readonly EntryAnswer[]> {
  if (sought.length === 0) return [];
  const asked = new Set(sought.flatMap(wordsOf).map(stem));
  const { entries } = await memory.query({
    similarTo: sought.join(" "),
    limit: limits.recalledTurns,
  });
  const found = [...entries, ...(await otherwisePut(memory, entries, asked))];
  const all = [...found, ...(await partnersOf(memory, found))];
  return Promise.all(all.map(async (entry) => answerOf(entry, asked, await before(memory, entry))));
}

/** Of a few memories those that answer in other words; of very many a question has to share a word. */
async function otherwisePut(
  memory: Memory,
  found: readonly FoundMemory[],
  asked: ReadonlySet<string>,
): Promise<readonly FoundMemory[]> {
  const { entries, total } = await memory.query({ limit: limits.recalledEntries });
  if (total > limits.recalledEntries) return [];
  const known = new Set(found.map(({ id }) => id));
  return entries
    .map((entry) => ({ entry, coverage: coverageOf(entry, asked) }))
    .filter(({ entry, coverage }) => coverage > 0 && !known.has(entry.id))
    .sort((a, b) => b.coverage - a.coverage)
    .slice(0, limits.recalledTurns)
    .map(({ entry }) => entry);
}

/** Which part of what was asked a memory has. */
function coverageOf({ key, value, tags, type }: FoundMemory, asked: ReadonlySet<string>): number {
  const words = wordsOf(`${key} ${textOf(value)} ${tags.join(" ")} ${type}`);
  const has = new Set(words.filter((word) => !isStopWord(word)).map(stem));
  return sharedPart(asked, has);
}

/**
 * What the open namespace holds that may be given to somebody who did not ask for it, up to so many: those that have most of
 * what was asked first, then the newest. What is private, stale or replaced is left out.
 */
export async function besidesFor(
  memory: Memory,
  sought: readonly string[],
  most: number,
): Promise<readonly EntryAnswer[]> {
  const asked = new Set(sought.flatMap(wordsOf).map(stem));
  const { entries } = await memory.query({
    namespaces: [memory.namespace.name],
    superseded: false,
    limit: limits.recalledEntries,
  });
  const sorted = entries
    .filter((entry) => entry.access !== "private" && isInjectable(entry))
    .map((entry) => ({ entry, coverage: coverageOf(entry, asked) }))
    .toSorted((a, b) => b.coverage - a.coverage);
  const found: EntryAnswer[] = [];
  for (const { entry } of sorted) {
    if (found.length === most) break;
    // Whether it is stale is asked of its files, so only of those that are taken.
    if (!isStale(entry)) found.push(answerOf(entry, asked, undefined));
  }
  return found;
}

/** What the entries replace and what replaces them, whether or not it shares a word with the question. */
async function partnersOf(
  memory: Memory,
  entries: readonly FoundMemory[],
): Promise<readonly FoundMemory[]> {
  const known = new Set(entries.map(({ id }) => id));
  const names = entries.flatMap(({ id, key }) => [id, key]);
  if (names.length === 0) return [];
  const newer = (await memory.query({ supersedes: names })).entries;
  const replaced = entries.flatMap(({ supersedes }) =>
    supersedes === undefined ? [] : [supersedes],
  );
  const older = replaced.length === 0 ? [] : (await memory.query({ ids: replaced })).entries;
  const byKey = await Promise.all(
    replaced.map(async (key) => (await memory.query({ key })).entries[0]),
  );
  const partners = [...newer, ...older, ...byKey].filter((one) => one !== undefined);
  const fresh = new Map(partners.filter(({ id }) => !known.has(id)).map((one) => [one.id, one]));
  return [...fresh.values()];
}

/** What an entry said before its newest version, if that was something else. */
async function before(memory: Memory, entry: FoundMemory): Promise<RecalledEntry["before"]> {
  if (entry.version === 1) return undefined;
  const now = textOf(entry.value);
  const other = (await memory.history(entry.id)).find(({ value }) => textOf(value) !== now);
  return other && { text: plainLine(textOf(other.value), limits.recalledChars), at: other.at };
}

function answerOf(
  found: FoundMemory,
  asked: ReadonlySet<string>,
  previous: RecalledEntry["before"],
): EntryAnswer {
  const { id, key, type, namespace, owner, provenance, evidence, updatedAt, score = 0 } = found;
  const text = textOf(found.value);
  return {
    coverage: coverageOf(found, asked),
    entry: {
      kind: "entry",
      ref: id,
      key,
      text,
      isCut: false,
      at: updatedAt,
      score,
      type,
      namespace,
      owner,
      provenance,
      evidence,
      isStale: isStale(found),
      newer: [],
      older: [],
      ...(found.supersedes !== undefined && { supersedes: found.supersedes }),
      ...(previous !== undefined && { before: previous }),
    },
  };
}
