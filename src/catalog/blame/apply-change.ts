import type { Change, Hunk } from "./file-act.ts";
import { findOnlyRun, findRun } from "./find-place.ts";
import { linesOf, plainEnds, textOfLines } from "./lines.ts";

/** A change applied to known lines: spans of them, and what stands there instead. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** Where a change takes hold, in order and apart; undefined where these lines are not what it was made for. */
export function splicesOf(lines: readonly string[], change: Change): readonly Splice[] | undefined {
  switch (change.kind) {
    case "write":
      return [{ from: 0, to: lines.length, lines: linesOf(change.content) }];
    case "delete":
      return [{ from: 0, to: lines.length, lines: [] }];
    case "replace":
      return replaceSplices(lines, change);
    case "patch":
      return patchSplices(lines, change.hunks);
    case "put":
      return undefined;
  }
}

/** The change that takes another one back, or undefined if that is not told. */
export function inverseOf(change: Change): Change | undefined {
  switch (change.kind) {
    case "replace":
      return change.after === ""
        ? undefined
        : { kind: "replace", before: change.after, after: change.before, all: change.all };
    case "patch": {
      if (change.hunks.some(({ after }) => after.length === 0)) return undefined;
      const hunks = change.hunks.map(({ anchors, before, after, atEnd }) => ({
        anchors,
        before: after,
        after: before,
        atEnd,
      }));
      return { kind: "patch", hunks };
    }
    case "write":
    case "delete":
    case "put":
      return undefined;
  }
}

function replaceSplices(
  lines: readonly string[],
  change: Extract<Change, { kind: "replace" }>,
): readonly Splice[] | undefined {
  const before = plainEnds(change.before);
  const after = plainEnds(change.after);
  const text = textOfLines(lines);
  const places: number[] = [];
  for (let at = text.indexOf(before); at >= 0; at = text.indexOf(before, at + before.length)) {
    places.push(at);
    if (!change.all && places.length > 1) return undefined;
  }
  if (places.length === 0) return forgivingSplice(lines, linesOf(before), linesOf(after));
  return joined(
    lines,
    text,
    places.map((at) => ({ at, length: before.length, after })),
  );
}

/** Tools that find no exact place look for one that differs in blanks only. */
function forgivingSplice(
  lines: readonly string[],
  before: readonly string[],
  after: readonly string[],
): readonly Splice[] | undefined {
  const from = findOnlyRun(lines, before);
  return from === undefined ? undefined : [{ from, to: from + before.length, lines: after }];
}

/** Replacements of characters as replacements of whole lines; those that share a line become one. */
function joined(
  lines: readonly string[],
  text: string,
  pieces: readonly { readonly at: number; readonly length: number; readonly after: string }[],
): readonly Splice[] {
  const splices: Splice[] = [];
  let line = 0;
  let lineAt = 0;
  let index = 0;
  while (index < pieces.length) {
    while (lineAt + lines[line]!.length < pieces[index]!.at) {
      lineAt += lines[line]!.length + 1;
      line += 1;
    }
    const from = line;
    const start = lineAt;
    let changed = "";
    let done = start;
    let end = start;
    const step = (): void => {
      lineAt += lines[line]!.length + 1;
      line += 1;
    };
    for (;;) {
      const piece = pieces[index];
      if (piece !== undefined && (piece.at < end || done === start)) {
        changed += text.slice(done, piece.at) + piece.after;
        done = piece.at + piece.length;
        index += 1;
        while (lineAt < done) step();
      } else {
        // If the end of the last line went, the next line is joined on.
        const isWhole = done !== end || changed === "" || changed.endsWith("\n");
        if (isWhole || line === lines.length) break;
        step();
      }
      end = lineAt;
    }
    changed += text.slice(done, end);
    splices.push({ from, to: line, lines: linesOf(changed) });
  }
  return splices;
}

function patchSplices(
  lines: readonly string[],
  hunks: readonly Hunk[],
): readonly Splice[] | undefined {
  const splices: Splice[] = [];
  let from = 0;
  for (const hunk of hunks) {
    for (const anchor of hunk.anchors) {
      const at = findRun(lines, [anchor], { from });
      if (at === undefined) return undefined;
      from = at + 1;
    }
    const place = placeOfHunk(lines, hunk, from);
    if (place === undefined) return undefined;
    splices.push(place);
    if (hunk.before.length > 0) from = place.to;
  }
  return splices.sort((one, two) => one.from - two.from);
}

function placeOfHunk(lines: readonly string[], hunk: Hunk, from: number): Splice | undefined {
  const { before, after, atEnd } = hunk;
  if (before.length === 0) {
    // Lines that stand nowhere in particular go to the end.
    const last = lines.at(-1) === "" ? lines.length - 1 : lines.length;
    return { from: last, to: last, lines: after };
  }
  const at = findRun(lines, before, { from, atEnd });
  if (at !== undefined) return { from: at, to: at + before.length, lines: after };
  // An empty line at the end of a patch may stand for the end of the file.
  if (before.at(-1) !== "") return undefined;
  const shorter = before.slice(0, -1);
  const found = findRun(lines, shorter, { from, atEnd });
  if (found === undefined) return undefined;
  const kept = after.at(-1) === "" ? after.slice(0, -1) : after;
  return { from: found, to: found + shorter.length, lines: kept };
}
