import { limits } from "../../base/limits.ts";
import { type Attributed, attributeLines } from "./attribute-lines.ts";
import { exactLines, plainLines } from "./exact-lines.ts";
import { type FileState, type Point, stateAt, textOf } from "./files-at.ts";
import { type Hunk, hunksBetween } from "./hunks.ts";
import { type DiffMaker, eachOnce, editMaker, otherMaker } from "./makers.ts";
import type { PlacedAct, Work } from "./session-work.ts";
import { toldHunks } from "./told-hunks.ts";

/** A hunk and who made it. */
export interface MadeHunk extends Hunk {
  readonly by: readonly DiffMaker[];
  /** Told by the call alone: where in the file it stands is not known. */
  readonly told?: true;
}

/** What differs in one file. */
export interface FileDiff {
  readonly path: string;
  readonly action: "created" | "modified" | "deleted";
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly MadeHunk[];
  /** Why there are no lines to show: it is binary, a link, too large, or only its mode differs. */
  readonly note?: string;
  readonly by: readonly DiffMaker[];
}

/** What is known besides the two points. */
export interface DiffGiven {
  /** What sessions did between the points. */
  readonly work: Work;
  /** When a file was last written, where that is known. */
  changedMs?(path: string): number | undefined;
  /** Who may have made what no edit made of a path, where more is known of it. */
  others?(path: string): readonly DiffMaker[] | undefined;
}

/** What differs between two points in some paths, those without a difference left out. */
export function* diffPoints(
  [from, to]: readonly [Point, Point],
  paths: Iterable<string>,
  given: DiffGiven,
): Generator<FileDiff> {
  for (const path of [...new Set(paths)].sort()) {
    const found = diffFile([from, to], path, given);
    if (found !== undefined) yield found;
  }
}

function diffFile(
  [from, to]: readonly [Point, Point],
  path: string,
  given: DiffGiven,
): FileDiff | undefined {
  const [before, after] = [stateAt(from, path), stateAt(to, path)];
  const acts = given.work.acts.filter(
    (act) => act.act.outcome === "done" && (act.path === path || act.movedTo === path),
  );
  const isBackward = from.atMs > to.atMs;
  if (before.kind === "unknown" || after.kind === "unknown") {
    return toldDiff(path, acts, isBackward);
  }
  if (isSame(before, after)) return undefined;
  const action =
    before.kind === "absent" ? "created" : after.kind === "absent" ? "deleted" : "modified";
  const others = given.others?.(path) ?? [otherMaker(given.work, given.changedMs?.(path))];
  const note = noteOn(before, after);
  if (note !== undefined) {
    const by = acts.length > 0 ? eachOnce(acts.map(editMaker)) : others;
    return { path, action, added: 0, removed: 0, hunks: [], note, by };
  }
  const [old, young] = [exactLines(textOf(before)!), exactLines(textOf(after)!)];
  const made = attributed([old, young], acts, isBackward);
  const makersOf = (maker: number | "other"): readonly DiffMaker[] =>
    maker === "other" ? others : [editMaker(acts[maker]!)];
  const hunks = hunksBetween(old, young).map((hunk): MadeHunk => {
    const makers = hunk.lines.flatMap(({ kind, at }) => {
      if (kind === "same") return [];
      const maker = kind === "added" ? made.added[at] : made.removed[at];
      return maker === undefined ? [] : makersOf(maker);
    });
    return { ...hunk, by: makers.length === 0 ? others : eachOnce(makers) };
  });
  return { path, action, hunks, ...countsOf(hunks), by: eachOnce(hunks.flatMap(({ by }) => by)) };
}

/** Going backward, what an edit added is what is removed. */
function attributed(
  [old, young]: readonly [readonly string[], readonly string[]],
  acts: readonly PlacedAct[],
  isBackward: boolean,
): Attributed {
  const edits = acts.map(({ act }) => act);
  if (!isBackward) return attributeLines(plainLines(old), plainLines(young), edits);
  const { added, removed } = attributeLines(plainLines(young), plainLines(old), edits);
  return { added: removed, removed: added };
}

function toldDiff(
  path: string,
  acts: readonly PlacedAct[],
  isBackward: boolean,
): FileDiff | undefined {
  const hunks = acts.flatMap((placed) =>
    toldHunks(placed.act, isBackward).map(
      (hunk): MadeHunk => ({ ...hunk, by: [editMaker(placed)], told: true }),
    ),
  );
  if (hunks.length === 0) return undefined;
  const [first, last] = [acts[0]!.act, acts.at(-1)!.act];
  const action =
    last.action === "deleted" ? "deleted" : first.action === "created" ? "created" : "modified";
  return { path, action, hunks, ...countsOf(hunks), by: eachOnce(hunks.flatMap(({ by }) => by)) };
}

function countsOf(hunks: readonly Hunk[]): { readonly added: number; readonly removed: number } {
  const count = (wanted: string): number =>
    hunks.reduce((sum, { lines }) => sum + lines.filter(({ kind }) => kind === wanted).length, 0);
  return { added: count("added"), removed: count("removed") };
}

function isSame(one: FileState, two: FileState): boolean {
  if (one.kind !== two.kind) return false;
  if (one.kind === "link" && two.kind === "link") return one.target === two.target;
  if (one.kind !== "file" || two.kind !== "file") return true;
  const isOfOneMode = one.mode === undefined || two.mode === undefined || one.mode === two.mode;
  return isOfOneMode && one.bytes.equals(two.bytes);
}

/** Why lines cannot be shown; undefined where they can. */
function noteOn(before: FileState, after: FileState): string | undefined {
  for (const state of [before, after]) {
    if (state.kind === "unreadable") return state.why;
    if (state.kind === "file" && state.bytes.length > limits.blamedFileBytes)
      return "too large to compare";
  }
  const links = [before, after].map((state) =>
    state.kind === "link" ? `link to ${state.target}` : state.kind,
  );
  if (before.kind === "link" || after.kind === "link") return links.join(" -> ");
  if (before.kind === "folder" || after.kind === "folder") return links.join(" -> ");
  if (textOf(before) === undefined || textOf(after) === undefined) return "binary";
  if (before.kind === "file" && after.kind === "file" && before.bytes.equals(after.bytes)) {
    return `mode ${octal(before.mode)} -> ${octal(after.mode)}`;
  }
  return undefined;
}

function octal(mode: number | undefined): string {
  return (mode ?? 0).toString(8);
}
