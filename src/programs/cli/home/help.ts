import type { Colours } from "../terminal/colours.ts";
import { keyPage, keysLine as lineOfKeys } from "../terminal/picker/key-lines.ts";
import { keyRows } from "./key-table.ts";

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
  const shown = keyRows.map((row) => (row.action === "show" ? { ...row, says: verb } : row));
  return lineOfKeys(
    shown.filter(({ isText = false }) => !isTyped || !isText),
    columns,
  );
}

/** The page of keys; on a small screen a word for each, so that all are seen. */
export function helpLines(place: {
  readonly columns: number;
  readonly rows: number;
  readonly colours: Colours;
}): readonly string[] {
  const about =
    'Type to search titles, projects and first prompts at once, and the text of sessions when you pause. Also: "a phrase", -not, agent:codex, since:7d.';
  const page = keyPage(keyRows, { ...place, about });
  if (page.length <= place.rows) return page;
  const brief = keyRows.map((row) => ({ ...row, explains: row.says }));
  return keyPage(brief, { ...place, about });
}
