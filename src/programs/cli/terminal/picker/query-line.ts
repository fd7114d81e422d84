import type { Colours } from "../colours.ts";
import { safeLine } from "../terminal-text.ts";
import { padded, textWidth, truncated } from "../width.ts";
import { shownLine, type TypedLine } from "./typed-line.ts";

/** A narrower screen has room for what is typed alone. */
const narrowColumns = 12;

/** The line one types in: the part of the query around the place in it, and a word about the answer. */
export function queryLine(
  query: TypedLine,
  says: string,
  { colours, columns }: { readonly colours: Colours; readonly columns: number },
): string {
  const about = columns < narrowColumns ? "" : truncated(safeLine(says), Math.floor(columns / 2));
  const room = Math.max(0, columns - textWidth(about) - 6);
  const typed = ` ${shownLine(query, room + 1)}`;
  if (about === "") return `${colours.cyan("❯")}${truncated(typed, columns - 1)}`;
  return `${colours.cyan("❯")}${padded(typed, room + 2)}  ${colours.dim(about)}`;
}
