import { limits } from "../../base/limits.ts";
import { matchLines } from "./match-lines.ts";

/**
 * How well it is known who wrote a line: `exact` by replaying every edit, `likely` and `possible` by its
 * content.
 */
export type Confidence = "exact" | "likely" | "possible";

/** What says who wrote a line. */
export type Evidence =
  | "replayed"
  /** The whole file was written, and what it was before is not known. */
  | "whole"
  | "ambiguous"
  | "matched"
  | "moved"
  | "reformatted"
  | "elsewhere";

/** Who wrote a line: the place of an edit among all edits, and how that is known. */
export interface Writer {
  readonly edit: number;
  readonly confidence: Confidence;
  readonly evidence: Evidence;
}

/** The line was there before an edit, and no edit that was replayed had written it. */
export interface Older {
  readonly olderThan: number;
}

/** Where a line comes from; undefined where nothing is known of it. */
export type Source = Writer | Older | undefined;

/** The lines of a file at some time, and where each comes from. */
export interface Content {
  readonly lines: readonly string[];
  readonly sources: readonly Source[];
}

/** A line that is no longer there, and who had written it. */
export interface GoneLine {
  readonly text: string;
  readonly writer: Writer;
}

/** Lines that all come from one place. */
export function contentFrom(lines: readonly string[], source: Source): Content {
  return { lines, sources: lines.map(() => source) };
}

/** Whether a line was written by an edit. */
export function isWritten(source: Source): source is Writer {
  return source !== undefined && "edit" in source;
}

/** Lines that came from others, and for each its line among those, or -1. */
export interface Became extends Content {
  readonly matched: Int32Array;
}

/**
 * The content after its lines became others: lines that stayed keep their sources, the rest gets the
 * given one. Where equal lines leave open which of them stayed, their writer is only likely.
 */
export function becomes(
  content: Content,
  lines: readonly string[],
  options: { readonly source?: Source; readonly gone?: GoneLine[] } = {},
): Became {
  const matched = matchLines(content.lines, lines);
  const sources = lines.map((_, at) =>
    matched[at]! < 0 ? options.source : content.sources[matched[at]!],
  );
  for (const at of slidable({ content, lines, matched, source: options.source })) {
    const source = sources[at];
    if (isWritten(source) && source.confidence === "exact") {
      sources[at] = { ...source, confidence: "likely", evidence: "ambiguous" };
    }
  }
  if (options.gone !== undefined) keepGone(content, matched, options.gone);
  return { lines, sources, matched };
}

function keepGone(content: Content, matched: Int32Array, gone: GoneLine[]): void {
  const stayed = new Set(matched);
  for (const [at, writer] of content.sources.entries()) {
    if (isWritten(writer) && !stayed.has(at)) gone.push({ text: content.lines[at]!, writer });
  }
  // The oldest are the least likely to have come back.
  if (gone.length > limits.goneLines) gone.splice(0, gone.length - limits.goneLines);
}

/** A change of lines: what they were, what they are, and which stayed. */
interface Turn {
  readonly content: Content;
  readonly lines: readonly string[];
  readonly matched: Int32Array;
  readonly source: Source;
}

/**
 * Lines whose writer would be another had the same change been reported with its place slid up or down: a
 * removed or added block may begin earlier where the line before it equals its last one.
 */
function slidable(turn: Turn): ReadonlySet<number> {
  const { content, lines, matched } = turn;
  const found = new Set<number>();
  let from = 0;
  for (let at = 0; at <= lines.length; at += 1) {
    const to = at < lines.length ? matched[at]! : content.lines.length;
    if (to < 0) continue;
    let begin = at;
    while (begin > 0 && matched[begin - 1]! < 0) begin -= 1;
    if (to > from && begin === at) slideRemoved(turn, { from, to, at }, found);
    if (to === from && begin < at) slideAdded(turn, { from: begin, to: at }, found);
    from = to + 1;
  }
  return found;
}

/** Removed only: which of equal neighbours went? */
function slideRemoved(
  { content, matched }: Turn,
  block: { readonly from: number; readonly to: number; readonly at: number },
  found: Set<number>,
): void {
  const { lines, sources } = content;
  for (let up = 1; sameAt(lines, block.from - up, block.to - up); up += 1) {
    if (matched[block.at - up] !== block.from - up) break;
    if (differ(sources[block.from - up], sources[block.to - up])) found.add(block.at - up);
  }
  for (let down = 0; sameAt(lines, block.from + down, block.to + down); down += 1) {
    if (matched[block.at + down] !== block.to + down) break;
    if (differ(sources[block.from + down], sources[block.to + down])) found.add(block.at + down);
  }
}

/** Added only: which of equal neighbours came? */
function slideAdded(
  { content, lines, matched, source }: Turn,
  block: { readonly from: number; readonly to: number },
  found: Set<number>,
): void {
  const look = (one: number, two: number, kept: number): boolean => {
    if (!sameAt(lines, one, two) || matched[kept]! < 0) return false;
    if (differ(content.sources[matched[kept]!], source)) found.add(one).add(two);
    return true;
  };
  for (let up = 1; look(block.from - up, block.to - up, block.from - up); up += 1);
  for (let down = 0; look(block.from + down, block.to + down, block.to + down); down += 1);
}

function differ(one: Source, two: Source): boolean {
  return isWritten(one) ? !isWritten(two) || one.edit !== two.edit : isWritten(two);
}

function sameAt(lines: readonly string[], one: number, two: number): boolean {
  return one >= 0 && two < lines.length && lines[one] === lines[two];
}
