import { limits } from "../../base/limits.ts";
import { stem } from "../../catalog/query/stem.ts";
import { wordsOf } from "../../catalog/query/words.ts";
import type { FoundMemory } from "../find.ts";
import type { Memory } from "../memory.ts";
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
  return entries.map((entry) => answerOf(entry, asked));
}

function answerOf(found: FoundMemory, asked: ReadonlySet<string>): EntryAnswer {
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
    },
  };
}
