import type { Change, FileAct } from "./file-act.ts";
import { linesOf } from "./lines.ts";
import { matchLines } from "./match-lines.ts";

/** Lines that a change added and removed, as far as it is reported. */
export interface ChangeSize {
  readonly added: number;
  readonly removed: number;
}

/** How many lines an act added to a file and removed from it. */
export function changeSize(
  act: FileAct & { readonly textBefore?: string; readonly textAfter?: string },
): ChangeSize {
  if (act.textAfter !== undefined) {
    return between(linesOf(act.textBefore ?? ""), linesOf(act.textAfter));
  }
  return act.changes.map((change) => sizeOf(change, act.textBefore)).reduce(sum, none);
}

const none: ChangeSize = { added: 0, removed: 0 };

function sum(one: ChangeSize, two: ChangeSize): ChangeSize {
  return { added: one.added + two.added, removed: one.removed + two.removed };
}

function sizeOf(change: Change, textBefore = ""): ChangeSize {
  switch (change.kind) {
    case "write":
      return between(linesOf(textBefore), linesOf(change.content));
    case "replace":
      return between(linesOf(change.before), linesOf(change.after));
    case "patch":
      return change.hunks.map(({ before, after }) => between(before, after)).reduce(sum, none);
    case "put":
      return { added: change.lines.length, removed: 0 };
    case "delete":
      return { added: 0, removed: linesOf(textBefore).length };
  }
}

function between(before: readonly string[], after: readonly string[]): ChangeSize {
  const kept = matchLines(before, after).filter((line) => line >= 0).length;
  return { added: after.length - kept, removed: before.length - kept };
}
