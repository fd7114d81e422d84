import type { Token, Tokens } from "marked";
import type { Colours } from "../terminal/colours.ts";
import { textWidth } from "../terminal/width.ts";
import { type Run, wrappedRuns } from "../terminal/wrap-runs.ts";

/** The place a table is made lines for. */
interface TablePlace {
  readonly columns: number;
  readonly colours: Colours;
  runsOf(cell: readonly Token[]): readonly Run[];
}

/** What stands between two cells. */
const between = 3;

/** A table in columns; one row below the other, each cell behind its heading, where it would need broken words. */
export function tableLines(table: Tokens.Table, place: TablePlace): readonly string[] {
  const { colours } = place;
  const header = table.header.map(({ tokens }) => bold(place.runsOf(tokens), colours));
  const rows = table.rows.map((row) => row.map(({ tokens }) => place.runsOf(tokens)));
  const widths = widthsOf([header, ...rows], place.columns);
  if (widths === undefined) return recordLines(header, rows, place);
  const rule = colours.dim(widths.map((width) => "─".repeat(width)).join("─┼─"));
  const lines = (cells: readonly (readonly Run[])[]): readonly string[] =>
    rowLines(cells, { widths, align: table.align, colours });
  return [...lines(header), rule, ...rows.flatMap(lines)];
}

function bold(runs: readonly Run[], colours: Colours): readonly Run[] {
  return runs.map(({ text }) => ({ text, paint: colours.bold }));
}

type Rows = readonly (readonly (readonly Run[])[])[];

/** How wide each column becomes; undefined where not every word has room. */
function widthsOf(rows: Rows, columns: number): readonly number[] | undefined {
  const count = rows[0]?.length ?? 0;
  const room = columns - between * (count - 1);
  const least: number[] = [];
  const widths: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const cells = rows.map((row) => (row[at] ?? []).map(({ text }) => text).join(""));
    const words = cells.flatMap((cell) => cell.split(/\s+/));
    least.push(Math.max(1, ...words.map(textWidth)));
    widths.push(Math.max(1, ...cells.flatMap((cell) => cell.split("\n")).map(textWidth)));
  }
  if (sum(least) > room) return undefined;
  // The widest column that can gives way, until all of them fit.
  while (sum(widths) > room) {
    const able = widths.map((width, at) => (width > least[at]! ? width : 0));
    const widest = Math.max(...able);
    const at = able.indexOf(widest);
    const next = Math.max(least[at]!, ...able.filter((width) => width < widest), 1);
    widths[at] = Math.max(next === widest ? widest - 1 : next, widest - (sum(widths) - room));
  }
  return widths;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function rowLines(
  cells: readonly (readonly Run[])[],
  options: {
    readonly widths: readonly number[];
    readonly align: readonly (string | null)[];
    readonly colours: Colours;
  },
): readonly string[] {
  const { widths, align, colours } = options;
  const columns = widths.map((width, at) => wrappedRuns(cells[at] ?? [], width));
  const height = Math.max(...columns.map((lines) => lines.length));
  const bar = colours.dim(" │ ");
  return Array.from({ length: height }, (_, row) => {
    const parts = columns.map((lines, at) => {
      const line = lines[row] ?? "";
      const blanks = " ".repeat(Math.max(0, widths[at]! - shownWidth(line)));
      if (align[at] === "right") return `${blanks}${line}`;
      return at === widths.length - 1 ? line : `${line}${blanks}`;
    });
    return parts.join(bar);
  });
}

/** How wide a line is that has styles in it. */
function shownWidth(line: string): number {
  return textWidth(line.replace(/\u001b\[[0-9;]*m/g, ""));
}

/** A table that has no room: a line for each cell. */
function recordLines(
  header: readonly (readonly Run[])[],
  rows: Rows,
  { columns }: TablePlace,
): readonly string[] {
  const all = rows.length === 0 ? [header.map(() => [])] : rows;
  return all.flatMap((row, index) => [
    ...(index > 0 ? [""] : []),
    ...header.flatMap((name, at) => {
      return wrappedRuns([...name, { text: ": " }, ...(row[at] ?? [])], columns);
    }),
  ]);
}
