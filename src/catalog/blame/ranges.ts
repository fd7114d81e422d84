import type { Blame, BlamedLine } from "./blame.ts";

/** Lines one after the other that are known to come from the same place, in the same way. */
export interface BlamedRange {
  /** The first and the last line, counted from 1. */
  readonly from: number;
  readonly to: number;
  readonly writer?: BlamedLine["writer"];
  readonly commit?: BlamedLine["commit"];
}

/** The file in ranges, or the part of it that lies between two lines. */
export function rangesOf(
  { lines }: Blame,
  part: { readonly from: number; readonly to: number },
): readonly BlamedRange[] {
  const ranges: { -readonly [Key in keyof BlamedRange]: BlamedRange[Key] }[] = [];
  for (let line = part.from; line <= Math.min(part.to, lines.length); line += 1) {
    const { text: _text, ...known } = lines[line - 1]!;
    const open = ranges.at(-1);
    if (open !== undefined && isSame(open, known)) open.to = line;
    else ranges.push({ from: line, to: line, ...known });
  }
  return ranges;
}

type Known = Pick<BlamedLine, "writer" | "commit">;

function isSame(one: Known, two: Known): boolean {
  const sameWriter =
    one.writer?.edit === two.writer?.edit &&
    one.writer?.confidence === two.writer?.confidence &&
    one.writer?.evidence === two.writer?.evidence;
  // Who committed it matters only where nobody's edit is known.
  return sameWriter && (one.writer !== undefined || one.commit?.hash === two.commit?.hash);
}
