import { lineNumber } from "../../../jsonl/line-number.ts";
import type { Span } from "./lineage.ts";

/** Gives records their numbers; `highest` is all it has to remember between two reads. */
export interface Numbering {
  /** The number of the `index`-th record found on a line. */
  next(
    ordinal: number | undefined,
    place: { readonly line: number; readonly offset: number; readonly index: number },
  ): string;
  /** Whether the last record repeated an ordinal or went back; for the report of damage. */
  readonly outOfOrder: "repeated" | "backwards" | undefined;
  readonly highest: number;
}

/**
 * Numbers for one file. A legacy file's records are numbered by where their line lies. A paginated file's by ordinal
 * plus one: in a root thread that is the line too, and it goes on across forks, so that one number
 * means one record along the whole lineage. A record that repeats an ordinal or has none hangs on the
 * highest number before it, with its line behind `.0`; events of one record never begin with a zero.
 */
export function numbering(
  span: Pick<Span, "paginated" | "suffix">,
  options: { readonly highest?: number } = {},
): Numbering {
  let highest = options.highest ?? 0;
  let outOfOrder: Numbering["outOfOrder"];
  return {
    next(ordinal, { index, ...place }) {
      outOfOrder = undefined;
      const twin = index === 0 ? "" : `.0${index}`;
      const line = lineNumber(place);
      if (!span.paginated) return `${line}${twin}${span.suffix}`;
      if (ordinal !== undefined && ordinal >= 0 && ordinal + 1 > highest) {
        highest = ordinal + 1;
        return `${highest}${span.suffix}`;
      }
      if (ordinal !== undefined) outOfOrder = ordinal + 1 === highest ? "repeated" : "backwards";
      return `${highest}.0${line}${index === 0 ? "" : `0${index}`}${span.suffix}`;
    },
    get outOfOrder() {
      return outOfOrder;
    },
    get highest() {
      return highest;
    },
  };
}
