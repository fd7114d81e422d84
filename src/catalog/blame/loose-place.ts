import { becomes, type Content, type GoneLine, type Source, type Writer } from "./content.ts";
import type { Change } from "./file-act.ts";
import { isTelling, linesOf } from "./lines.ts";
import { matchLines } from "./match-lines.ts";

/** Lines an edit saw in the file, and what it made of them. */
interface Seen {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * Applies a change that fits nowhere because somebody changed lines around it: the lines it names are what
 * the file held at that time, so the content is corrected by them first. Undefined where no line says
 * the place.
 */
export function placedLoosely(
  content: Content,
  change: Change,
  given: { readonly writer: Writer; readonly older: Source; readonly gone: GoneLine[] },
): Content | undefined {
  const seen = seenIn(change);
  if (seen.length === 0) return undefined;
  let placed = content;
  for (const { before, after } of seen) {
    const span = spanOf(placed.lines, before);
    if (span === undefined) return undefined;
    const { from, to } = span;
    const options = { source: given.older, gone: given.gone };
    const corrected = becomes(sliceOf(placed, from, to), before, options);
    const written = becomes(corrected, after, { source: given.writer, gone: given.gone });
    placed = joined([sliceOf(placed, 0, from), written, sliceOf(placed, to)]);
  }
  return placed;
}

function seenIn(change: Change): readonly Seen[] {
  switch (change.kind) {
    case "replace":
      return [{ before: linesOf(change.before), after: linesOf(change.after) }];
    case "patch":
      return change.hunks;
    case "write":
    case "put":
    case "delete":
      return [];
  }
}

/** How much longer than what was seen the place may be. */
const slackLines = 8;

/** The place that lines which stand once in the file point to. */
function spanOf(
  lines: readonly string[],
  seen: readonly string[],
): { readonly from: number; readonly to: number } | undefined {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  const matched = matchLines(lines, seen);
  const sure = seen.flatMap((line, at) =>
    matched[at]! >= 0 && isTelling(line) && counts.get(line) === 1 ? [at] : [],
  );
  const [first, last] = [sure[0], sure.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  let from = matched[first]!;
  let to = matched[last]! + 1;
  if (to - from > 2 * seen.length + slackLines) return undefined;
  for (let at = first - 1; at >= 0 && from > 0 && lines[from - 1] === seen[at]; at -= 1) from -= 1;
  for (let at = last + 1; at < seen.length && to < lines.length && lines[to] === seen[at]; at += 1)
    to += 1;
  return { from, to };
}

function sliceOf({ lines, sources }: Content, from: number, to?: number): Content {
  return { lines: lines.slice(from, to), sources: sources.slice(from, to) };
}

function joined(parts: readonly Content[]): Content {
  return {
    lines: parts.flatMap(({ lines }) => lines),
    sources: parts.flatMap(({ sources }) => sources),
  };
}
