import type { Colours } from "../terminal/colours.ts";
import { keyPage, keysLine as lineOfKeys } from "../terminal/picker/key-lines.ts";
import { partOfPage } from "../terminal/picker/part-of-page.ts";
import { type KeyRow, keyRows } from "./key-table.ts";

/** The line of keys below the screen: as many as there is room for, the most needed first. */
export function keysLine({
  columns,
  verb,
  isTyped,
}: {
  readonly columns: number;
  readonly verb: string;
  /** Something is typed: the keys that would be typed too are left out. */
  readonly isTyped: boolean;
}): string {
  const shown = keyRows.flatMap((row): readonly KeyRow[] => {
    if (row.action === "show") return [{ ...row, says: verb }];
    // Enter does it already.
    if (row.action === "resume" && verb === "resume") return [];
    if (row.key === "Esc" && isTyped) return [{ ...row, says: "clear" }];
    return isTyped && row.isText === true ? [] : [row];
  });
  return lineOfKeys(shown, columns);
}

/** The page of keys; on a small screen a word for each, and how to see what does not fit. */
export function helpLines(place: {
  readonly columns: number;
  readonly rows: number;
  /** The first line of the page that is shown. */
  readonly from: number;
  /** What Enter does. */
  readonly verb: string;
  readonly colours: Colours;
}): readonly string[] {
  const about =
    'Type to search titles, projects and first prompts at once, and the text of sessions when you pause. Also: "a phrase", -not, agent:codex, tag:later, since:7d. Marks: * pinned, ~ interrupted, ! damaged.';
  const { verb } = place;
  const rows = keyRows.map((row) =>
    row.action === "show" && verb !== "show" ? { ...row, says: verb, explains: `${verb} it` } : row,
  );
  const page = keyPage(rows, { ...place, about });
  if (page.length <= place.rows) return page;
  const brief = rows.map((row) => ({ ...row, explains: row.says }));
  return partOfPage(keyPage(brief, { ...place, about }), place);
}
