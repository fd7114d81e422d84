import { safeText } from "../../cli/terminal/terminal-text.ts";
import { textWidth } from "../../cli/terminal/width.ts";

/** What an editor looks like: rows of the screen, and where the cursor is among them. */
export interface EditorLayout {
  readonly rows: readonly string[];
  readonly row: number;
  readonly column: number;
}

/** Lays a text out in rows of so many columns, behind a mark of two; of a text too long for the screen the rows around the cursor. */
export function editorLayout(
  text: string,
  cursor: number,
  screen: { readonly columns: number; readonly rows: number },
): EditorLayout {
  const width = Math.max(8, screen.columns - 3);
  const rows: string[] = [""];
  let used = 0;
  let at = 0;
  let place = { row: 0, column: 0 };
  for (const character of text) {
    if (at === cursor) place = { row: rows.length - 1, column: used };
    at += character.length;
    if (character === "\n") {
      rows.push("");
      used = 0;
      continue;
    }
    const shown = safeText(character);
    const columns = textWidth(shown);
    if (used + columns > width) {
      rows.push("");
      used = 0;
    }
    rows[rows.length - 1] += shown;
    used += columns;
  }
  if (at === cursor) place = { row: rows.length - 1, column: used };
  const most = Math.max(1, screen.rows - 1);
  const first = Math.max(0, Math.min(place.row - Math.floor(most / 2), rows.length - most));
  return {
    rows: rows.slice(first, first + most),
    row: place.row - first,
    column: place.column + 2,
  };
}
