import { splicesOf } from "./apply-change.ts";
import {
  becomes,
  type Content,
  contentFrom,
  type GoneLine,
  type Source,
  type Writer,
} from "./content.ts";
import type { Edit } from "./edit.ts";
import type { Change } from "./file-act.ts";
import { linesOf } from "./lines.ts";
import { placedLoosely } from "./loose-place.ts";

/** What replaying the edits of a file gave. */
export interface Replayed {
  /** Undefined where nothing ever told the file's whole content. */
  readonly content: Content | undefined;
  /** Edits that did not fit: by their place in the list, the newest last. */
  readonly unplaced: readonly number[];
  readonly gone: readonly GoneLine[];
  /** Edits that fitted exactly. */
  readonly placed: number;
  /** Edits that fitted after the content was corrected by what they saw. */
  readonly loose: number;
  /** The content it began with was made from the present one. */
  readonly guessed?: boolean;
}

/** Replays edits in order, from the content before the first one where it is known. */
export function replay(edits: readonly Edit[], start?: Content): Replayed {
  let content = start;
  const unplaced: number[] = [];
  const gone: GoneLine[] = [];
  let placed = 0;
  let loose = 0;
  for (const [index, { act }] of edits.entries()) {
    if (act.outcome !== "done") continue;
    // Edits that came before show that there was a file, of which a whole new content may have kept lines.
    const writer: Writer =
      content === undefined && unplaced.length > 0
        ? { edit: index, confidence: "likely", evidence: "whole" }
        : { edit: index, confidence: "exact", evidence: "replayed" };
    // What the result reports the file outweighs what was replayed: somebody else may have changed it.
    if (act.textBefore !== undefined) {
      const before = linesOf(act.textBefore);
      const source: Source = { olderThan: index };
      content =
        content === undefined
          ? contentFrom(before, source)
          : becomes(content, before, { source, gone });
    }
    if (act.textAfter !== undefined) {
      const after = linesOf(act.textAfter);
      content = becomes(content ?? empty, after, { source: writer, gone });
      placed += 1;
      continue;
    }
    let fit: "exact" | "loose" | "none" = act.changes.length === 0 ? "none" : "exact";
    for (const change of act.changes) {
      const exact = changed(content, change, { writer, gone });
      const next = exact ?? loosely(content, change, { index, gone });
      if (next === undefined) fit = "none";
      else if (exact === undefined && fit === "exact") fit = "loose";
      content = next ?? content;
    }
    if (fit === "exact") placed += 1;
    else if (fit === "loose") loose += 1;
    else unplaced.push(index);
  }
  return { content, unplaced, gone, placed, loose };
}

const empty: Content = { lines: [], sources: [] };

/** The content after one change; undefined if it does not fit. */
function changed(
  content: Content | undefined,
  change: Change,
  given: { readonly writer: Writer; readonly gone: GoneLine[] },
): Content | undefined {
  // A whole file is reported whatever was there before.
  const known = content ?? (isWhole(change) ? empty : undefined);
  if (known === undefined) return undefined;
  const splices = splicesOf(known.lines, change);
  if (splices === undefined) return undefined;
  const lines: string[] = [];
  const sources: Source[] = [];
  let at = 0;
  const keepTo = (end: number): void => {
    for (; at < end; at += 1) {
      lines.push(known.lines[at]!);
      sources.push(known.sources[at]);
    }
  };
  for (const splice of splices) {
    if (splice.from < at) return undefined;
    keepTo(splice.from);
    const span = {
      lines: known.lines.slice(splice.from, splice.to),
      sources: known.sources.slice(splice.from, splice.to),
    };
    const next = becomes(span, splice.lines, { source: given.writer, gone: given.gone });
    for (const line of next.lines) lines.push(line);
    for (const source of next.sources) sources.push(source);
    at = splice.to;
  }
  keepTo(known.lines.length);
  return { lines, sources };
}

function loosely(
  content: Content | undefined,
  change: Change,
  given: { readonly index: number; readonly gone: GoneLine[] },
): Content | undefined {
  if (content === undefined) return undefined;
  const writer: Writer = { edit: given.index, confidence: "likely", evidence: "matched" };
  const older: Source = { olderThan: given.index };
  return placedLoosely(content, change, { writer, older, gone: given.gone });
}

function isWhole(change: Change): boolean {
  return change.kind === "write" || change.kind === "delete";
}
