import type { Colours } from "../colours.ts";

/** How large a screen is. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** Where list and preview lie: beside each other on a wide screen, one below the other else. */
export interface Layout {
  readonly isWide: boolean;
  readonly listRows: number;
  readonly listColumns: number;
  readonly previewRows: number;
  readonly previewColumns: number;
}

/** From here on list and preview lie beside each other. */
const wideColumns = 150;

/** The places of a screen of some size; the lowest has one row for the query and one for the list. */
export function layoutOf({ columns, rows }: ScreenSize): Layout {
  if (columns >= wideColumns) {
    const listColumns = Math.floor(columns * 0.5);
    const height = Math.max(1, rows - 3);
    return {
      isWide: true,
      listRows: height,
      listColumns,
      previewRows: height,
      previewColumns: columns - listColumns - 3,
    };
  }
  const listRows = Math.max(1, Math.min(rows - 1, Math.max(3, Math.floor((rows - 4) * 0.45))));
  return {
    isWide: false,
    listRows,
    listColumns: columns,
    previewRows: Math.max(0, rows - listRows - 4),
    previewColumns: columns,
  };
}

/** What stands in each place of a screen. */
export interface Places {
  readonly top: string;
  /** As many lines as the list has rows, each of its whole width on a wide screen. */
  readonly list: readonly string[];
  readonly panel: readonly string[];
  /** Mostly one line; a message may take more, which go from the panel. */
  readonly bottom: readonly string[];
}

/** A screen of a list and a panel as lines, never more than it has rows. */
export function listAndPanel(
  { top, list, panel, bottom }: Places,
  size: ScreenSize & { readonly colours: Colours },
): readonly string[] {
  const { columns, rows, colours } = size;
  const layout = layoutOf(size);
  const rule = colours.dim("─".repeat(columns));
  const beside = filled(panel, layout.previewRows);
  if (!layout.isWide) return above([top, ...list, rule, ...beside], { rule, bottom, rows });
  const bar = colours.dim(" │ ");
  const lines = list.map((line, at) => `${line}${bar}${beside[at] ?? ""}`);
  return above([top, ...lines], { rule, bottom, rows });
}

/** Lines, and at the bottom of the screen a rule and what stands below it, unless they would leave nothing to choose from. */
function above(
  lines: readonly string[],
  place: { readonly rule: string; readonly bottom: readonly string[]; readonly rows: number },
): readonly string[] {
  const { rule, bottom, rows } = place;
  const room = rows - bottom.length - 1;
  return room < 2 ? lines.slice(0, rows) : [...lines.slice(0, room), rule, ...bottom];
}

/** A screen of one panel alone as lines. */
export function panelAlone(
  { top, panel, bottom }: Omit<Places, "list">,
  { columns, rows, colours }: ScreenSize & { readonly colours: Colours },
): readonly string[] {
  const rule = colours.dim("─".repeat(columns));
  return above([top, ...filled(panel, aloneRows(rows))], { rule, bottom, rows });
}

/** How many rows a panel has that is alone on a screen. */
export function aloneRows(rows: number): number {
  return Math.max(1, rows - 3);
}

/** The part of a list that is seen, as its first index: what is chosen stays near the middle. */
export function firstShown(at: number, count: number, rows: number): number {
  return Math.max(0, Math.min(at - Math.floor(rows / 2), count - rows));
}

function filled(lines: readonly string[], rows: number): readonly string[] {
  return [...lines.slice(0, rows), ...Array<string>(Math.max(0, rows - lines.length)).fill("")];
}
