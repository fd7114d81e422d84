import { type Became, becomes, isWritten, type Source, type Writer } from "./content.ts";
import type { Edit } from "./edit.ts";
import type { Change } from "./file-act.ts";
import { isTelling, linesOf } from "./lines.ts";
import { matchContent, type WrittenRun } from "./match-content.ts";
import { matchLines } from "./match-lines.ts";
import { replayFromBest } from "./start-content.ts";

/** What is known about the file besides the edits. */
export interface Present {
  readonly lines: readonly string[];
  /** The file as it was committed before the first edit. */
  readonly committed?: readonly string[] | undefined;
  /** When each line was committed as it is now; undefined if it was not. */
  readonly committedMs: readonly (number | undefined)[];
}

/** A commit's time is cut to seconds, and clocks differ a little. */
const clockSlackMs = 2_000;

/** Who wrote each line of the present file; undefined if no edit explains it. */
export function attribute(
  edits: readonly Edit[],
  present: Present,
): readonly (Writer | undefined)[] {
  const { lines, committed } = present;
  // Only edits of this very file are replayed; `own` says their places among all.
  const own = [...edits.keys()].filter((index) => edits[index]!.place === "here");
  const ownEdits = own.map((index) => edits[index]!);
  const replayed = replayFromBest(ownEdits, { committed, present: lines });
  const { content, unplaced, loose } = replayed;
  const gone = [...replayed.gone];
  const became = becomes(content ?? { lines: [], sources: [] }, lines, { gone });
  const sources = doubted(became, { isWhole: unplaced.length + loose === 0 });
  const writers = sources.map((source, at): Writer | undefined => {
    if (!isWritten(source)) return undefined;
    // Of a line that was written in part, the rest may have been changed since, if the start is a guess.
    const isSure = replayed.guessed !== true || isPut(lines[at]!, ownEdits[source.edit]!);
    const doubt = isSure ? {} : ({ confidence: "likely", evidence: "matched" } as const);
    return { ...source, ...doubt, edit: own[source.edit]! };
  });
  const misfits = new Set(unplaced.map((index) => own[index]!));
  const runs = [...edits.entries()].flatMap(([index, edit]) => runsOf(edit, index, misfits));
  const moved = gone.map(({ text, writer }) => {
    const edit = own[writer.edit]!;
    return { edit, lines: [text], confidence: "likely", evidence: "moved" } as const;
  });
  matchContent(lines, writers, {
    runs: [...runs, ...moved].sort((one, two) => two.edit - one.edit),
    isPossible: (edit, line) => {
      const committedMs = present.committedMs[line];
      if (committedMs !== undefined && edits[edit]!.atMs > committedMs + clockSlackMs) return false;
      const source = sources[line];
      return source === undefined || isWritten(source) || edit < own[source.olderThan]!;
    },
  });
  return writers;
}

/**
 * The same sources, with doubt where a brace or an empty line stands alone between lines that changed since:
 * it may be another one. Where the replay is not whole, such a line says nothing, nor does one that was
 * placed by its content and has nothing of its edit beside it.
 */
function doubted(became: Became, options: { readonly isWhole: boolean }): readonly Source[] {
  const { lines, sources } = became;
  const isLone = loneLines(became);
  const editAt = (at: number): number | undefined => {
    const source = sources[at];
    return isWritten(source) ? source.edit : undefined;
  };
  return sources.map((source, at) => {
    if (!isWritten(source) || isTelling(lines[at]!)) return source;
    const isBeside = [at - 1, at + 1].some((near) => editAt(near) === source.edit);
    if (options.isWhole) {
      return isLone[at] ? { ...source, confidence: "likely", evidence: "ambiguous" } : source;
    }
    return isLone[at] || (source.confidence !== "exact" && !isBeside) ? undefined : source;
  });
}

/** Which lines stayed without any line beside them that says something. */
function loneLines({ lines, matched }: Became): readonly boolean[] {
  const lone: boolean[] = [];
  for (let from = 0; from < lines.length; ) {
    let to = from + 1;
    while (to < lines.length && matched[to] === matched[to - 1]! + 1) to += 1;
    const isWholeFile = to - from === lines.length;
    const isLone = !isWholeFile && !lines.slice(from, to).some(isTelling);
    for (; from < to; from += 1) lone.push(isLone);
  }
  return lone;
}

/** The lines an edit put in, where replaying could not use it. */
function runsOf(edit: Edit, index: number, misfits: ReadonlySet<number>): readonly WrittenRun[] {
  const { act, place } = edit;
  if (act.outcome === "failed") return [];
  const isUnanswered = act.outcome === "unanswered";
  if (place === "here" && !isUnanswered && !misfits.has(index)) return [];
  const confidence = isUnanswered ? "possible" : "likely";
  const evidence = place === "elsewhere" ? "elsewhere" : "matched";
  return act.changes
    .flatMap(putIn)
    .filter((lines) => lines.length > 0)
    .map((lines) => ({ edit: index, lines, confidence, evidence }));
}

/** Whether the edit says the whole line. */
function isPut(line: string, { act }: Edit): boolean {
  return act.changes.some((change) => putIn(change).some((lines) => lines.includes(line)));
}

function putIn(change: Change): readonly (readonly string[])[] {
  switch (change.kind) {
    case "write":
      return [linesOf(change.content)];
    case "replace":
      return added(linesOf(change.before), linesOf(change.after));
    case "patch":
      return change.hunks.flatMap(({ before, after }) => added(before, after));
    case "put":
      return [change.lines];
    case "delete":
      return [];
  }
}

/** The runs of lines that are new in the second text. */
function added(
  before: readonly string[],
  after: readonly string[],
): readonly (readonly string[])[] {
  const matched = matchLines(before, after);
  const runs: string[][] = [];
  let isOpen = false;
  for (const [at, line] of after.entries()) {
    if (matched[at]! >= 0) isOpen = false;
    else if (isOpen) runs.at(-1)!.push(line);
    else {
      runs.push([line]);
      isOpen = true;
    }
  }
  return runs;
}
