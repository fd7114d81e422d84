import { inverseOf, splicesOf } from "./apply-change.ts";
import { contentFrom } from "./content.ts";
import type { Edit } from "./edit.ts";
import { linesOf } from "./lines.ts";
import { type Replayed, replay } from "./replay.ts";

/**
 * Replays edits of a file whose content before them nobody told: from each content it may have had, and
 * the one on which most edits fit counts.
 */
export function replayFromBest(
  edits: readonly Edit[],
  given: {
    /** What git says the file was, if it says so. */
    readonly committed: readonly string[] | undefined;
    readonly present: readonly string[];
  },
): Replayed {
  const first = edits.find(({ act }) => act.outcome === "done")?.act;
  const replayed = replay(edits);
  if (first === undefined || first.textBefore !== undefined) return replayed;
  const committed =
    given.committed === undefined
      ? undefined
      : replay(edits, contentFrom(given.committed, { olderThan: 0 }));
  if (first.changes[0]?.kind === "write") return committed ?? replayed;
  const start = contentFrom(takenBack(edits, given.present), undefined);
  const guessed: Replayed = { ...replay(edits, start), guessed: true };
  return [committed, guessed].reduce<Replayed>(
    (best, next) =>
      next !== undefined && (best.content === undefined || fitting(next) > fitting(best))
        ? next
        : best,
    replayed,
  );
}

function fitting({ placed, loose }: Replayed): number {
  return placed + loose;
}

/** The content before the edits, by taking them back from the present one, the newest first. */
function takenBack(edits: readonly Edit[], present: readonly string[]): readonly string[] {
  let lines = present;
  for (const { act } of [...edits].reverse()) {
    if (act.outcome !== "done") continue;
    if (act.textBefore !== undefined) {
      lines = linesOf(act.textBefore);
      continue;
    }
    for (const change of [...act.changes].reverse()) {
      const inverse = inverseOf(change);
      const splices = inverse === undefined ? undefined : splicesOf(lines, inverse);
      if (splices === undefined) continue;
      let at = 0;
      const parts: (readonly string[])[] = [];
      for (const splice of splices) {
        parts.push(lines.slice(at, splice.from), splice.lines);
        at = splice.to;
      }
      lines = [...parts, lines.slice(at)].flat();
    }
  }
  return lines;
}
