import type { Change } from "../blame/file-act.ts";
import { linesOf } from "../blame/lines.ts";
import type { SessionAct } from "../blame/session-acts.ts";
import { type Hunk, hunksBetween } from "./hunks.ts";

/** What a call changed in its own words, where the file around it is not known: lines without a place. */
export function toldHunks({ changes }: SessionAct, isBackward: boolean): readonly Hunk[] {
  return changes.flatMap((change) =>
    pairsOf(change).flatMap(([before, after]) => {
      const [old, young] = isBackward ? [after, before] : [before, after];
      return hunksBetween(old, young);
    }),
  );
}

type Pair = readonly [before: readonly string[], after: readonly string[]];

function pairsOf(change: Change): readonly Pair[] {
  switch (change.kind) {
    case "write":
      return [[[], linesOf(change.content)]];
    case "replace":
      return [[linesOf(change.before), linesOf(change.after)]];
    case "patch":
      return change.hunks.map(({ before, after }): Pair => [before, after]);
    case "put":
      return [[[], change.lines]];
    case "delete":
      return [];
  }
}
