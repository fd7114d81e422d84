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

/** What replaying the edits of a file gave. */
export interface Replayed {
  /** Undefined where nothing ever told the file's whole content. */
  readonly content: Content | undefined;
  /** Edits that did not fit: by their place in the list, the newest last. */
  readonly unplaced: readonly number[];
  readonly gone: readonly GoneLine[];
  /** Edits that fitted exactly. */
  readonly placed: number;
}

/** Replays edits in order, from the content before the first one where it is known. */
export function replay(edits: readonly Edit[], start?: Content): Replayed {
  let content = start;
  const unplaced: number[] = [];
  const gone: GoneLine[] = [];
  let placed = 0;
  for (const [index, { act }] of edits.entries()) {
    if (act.outcome !== "done") continue;
    const writer: Writer = { edit: index, confidence: "exact", evidence: "replayed" };
    // What the result tells of the file outweighs what was replayed: somebody else may have changed it.
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
    let fits = true;
    for (const change of act.changes) {
      const next = changed(content, change, { writer, gone });
      if (next === undefined) fits = false;
      else content = next;
    }
    if (fits && act.changes.length > 0) placed += 1;
    else unplaced.push(index);
  }
  return { content, unplaced, gone, placed };
}

const empty: Content = { lines: [], sources: [] };

/** The content after one change; undefined where it does not fit. */
function changed(
  content: Content | undefined,
  change: Change,
  given: { readonly writer: Writer; readonly gone: GoneLine[] },
): Content | undefined {
  // A whole file is told whatever was there before.
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

function isWhole(change: Change): boolean {
  return change.kind === "write" || change.kind === "delete";
}
