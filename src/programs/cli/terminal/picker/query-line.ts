import type { Colours } from "../colours.ts";
import { safeLine } from "../terminal-text.ts";
import { lastColumns, padded, textWidth, truncated } from "../width.ts";

/** A narrower screen has room for what is typed alone. */
const narrowColumns = 12;

/** The line one types in: the end of the query, which is what is being typed, and a word about the answer. */
export function queryLine(
  query: string,
  says: string,
  { colours, columns }: { readonly colours: Colours; readonly columns: number },
): string {
  const about = columns < narrowColumns ? "" : truncated(safeLine(says), Math.floor(columns / 2));
  const room = Math.max(0, columns - textWidth(about) - 6);
  const typed = ` ${lastColumns(safeLine(query), room)}▏`;
  if (about === "") return `${colours.cyan("❯")}${truncated(typed, columns - 1)}`;
  return `${colours.cyan("❯")}${padded(typed, room + 2)}  ${colours.dim(about)}`;
}
