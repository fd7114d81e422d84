import { proofBefore } from "../../../jsonl/proof.ts";
import type { ReadBatch } from "../../contract.ts";
import { authorOfLine, kindOfLine } from "../line-kind.ts";
import { usageIn } from "../program-line.ts";
import { startedIn } from "../start-line.ts";
import { type CursorState, decodeCursor } from "./cursor.ts";
import { type Range, runLines } from "./lines.ts";
import { type RangeOptions, readWhole } from "./read-whole.ts";

/** Goes on from a cursor, or begins anew where the run is not what it was or its last message goes on. */
export function* readOn(
  fd: number,
  options: RangeOptions & { readonly from: string },
): Generator<ReadBatch> {
  const { range } = options;
  const cursor = decodeCursor(options.from);
  const known =
    cursor !== undefined &&
    cursor.end >= range.offset &&
    cursor.end <= range.end &&
    proofBefore(fd, cursor.end, range.offset) === cursor.sample;
  if (!known) yield* readWhole(fd, { ...options, restart: true });
  else if (cursor.done !== undefined) {
    const same = cursor.end === range.end;
    yield* readWhole(fd, { ...options, restart: !same, skip: same ? cursor.done : 0 });
  } else {
    const left = openAfter(fd, { range, cursor, allBranches: options.allBranches ?? false });
    const { open: _open, inAnswer: _inAnswer, ...place } = cursor;
    const going = left === undefined ? {} : { cursor: { ...place, ...left } };
    yield* readWhole(fd, { ...options, restart: left === undefined, ...going });
  }
}

/** What is still open after lines that end nothing. */
type Open = Pick<CursorState, "open" | "inAnswer">;

/**
 * What is left open where everything added begins something new or says nothing; undefined if it goes on
 * with the last message, which then must be reported anew.
 */
function openAfter(
  fd: number,
  work: { readonly range: Range; readonly cursor: CursorState; readonly allBranches: boolean },
): Open | undefined {
  const { range, cursor } = work;
  const { open: begun, inAnswer: within } = cursor;
  if (cursor.end === range.end) {
    return { inAnswer: within, ...(begun === undefined ? {} : { open: begun }) };
  }
  if (cursor.midLine) return undefined;
  let { open } = cursor;
  let inAnswer = cursor.inAnswer && work.allBranches;
  for (const { parts } of runLines(fd, { offset: cursor.end, end: range.end })) {
    for (const { text } of parts) {
      const kind = kindOfLine(text);
      const isBlankLine = text.trim() === "";
      const isAnswer = authorOfLine(text) === "answer" && startedIn(text) === undefined;
      if (inAnswer && isAnswer && !isBlankLine) return undefined;
      if (!isAnswer) inAnswer = false;
      // The tokens of an answer belong to it.
      const belongs =
        kind === "program"
          ? open === "assistant" && usageIn(text.slice(2).trimEnd()) !== undefined
          : kind === open && !isBlankLine;
      if (belongs) return undefined;
      // A heading ends no message, and neither do blank lines of an answer.
      if (kind !== "heading" && !(open === "assistant" && isBlankLine)) open = undefined;
      if (open === undefined && !inAnswer) return { inAnswer };
    }
  }
  return { inAnswer, ...(open === undefined ? {} : { open }) };
}
