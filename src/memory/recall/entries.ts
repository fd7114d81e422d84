import { limits } from "../../base/limits.ts";
import { stem } from "../../catalog/query/stem.ts";
import { wordsOf } from "../../catalog/query/words.ts";
import type { FoundMemory } from "../find.ts";
import type { Memory } from "../memory.ts";
import { plainLine } from "../plain-text.ts";
import { isStale } from "../stale.ts";
import { textOf } from "../value.ts";
import type { RecalledEntry } from "./answer.ts";

/** A memory that may answer, and which part of what was asked it has. */
export interface EntryAnswer {
  readonly entry: RecalledEntry;
  readonly coverage: number;
}

/** The memories that share words with a question and that its reader may see, best first. */
export async function entriesFor(
  memory: Memory,
  sought: readonly string[],
): Promise<readonly EntryAnswer[]> {
  if (sought.length === 0) return [];
  const { entries } = await memory.query({
    similarTo: sought.join(" "),
    limit: limits.recalledTurns,
  });
  const asked = new Set(sought.flatMap(wordsOf).map(stem));
  const all = [...entries, ...(await partnersOf(memory, entries))];
  return Promise.all(all.map(async (entry) => answerOf(entry, asked, await before(memory, entry))));
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
  const has = new Set(wordsOf(`${key} ${text} ${found.tags.join(" ")}`).map(stem));
  const covered = [...asked].filter((word) => has.has(word)).length;
  return {
    coverage: asked.size === 0 ? 0 : covered / asked.size,
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
