import type { Colours } from "../terminal/colours.ts";
import { keyPage, keysLine as lineOfKeys } from "../terminal/picker/key-lines.ts";
import { keyRows } from "./key-table.ts";

/** The line of keys below the screen: as many as there is room for, the most needed first. */
export function keysLine({
  columns,
  verb,
}: {
  readonly columns: number;
  readonly verb: string;
}): string {
  const shown = keyRows.map((row) => (row.action === "show" ? { ...row, says: verb } : row));
  return lineOfKeys(shown, columns);
}

/** The page of keys. */
export function helpLines(place: {
  readonly columns: number;
  readonly colours: Colours;
}): readonly string[] {
  const about =
    'Type to search titles, projects and first prompts at once, and the text of sessions when you pause. Also: "a phrase", -not, agent:codex, since:7d.';
  return keyPage(keyRows, { ...place, about });
}
