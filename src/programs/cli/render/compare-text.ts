import { limits } from "../../../base/limits.ts";
import type { ComparedTurn } from "../../../catalog/compare/side.ts";
import type { Colours } from "../terminal/colours.ts";
import { safeLine, safeText } from "../terminal/terminal-text.ts";
import { padded, textWidth, truncated, wrapped } from "../terminal/width.ts";
import {
  areUnrelated,
  callText,
  commonSentence,
  type Figure,
  figuresOf,
  fileRows,
  loneSide,
  type ShownComparison,
} from "./compare-figures.ts";
import { count } from "./count.ts";
import { titleOf } from "./heading.ts";

/** Where a comparison is printed. */
export interface CompareTextOptions {
  readonly colours: Colours;
  readonly out: { readonly isTerminal: boolean; readonly columns: number };
}

/** Columns are set side by side on a terminal at least so wide; on a narrower one they follow each other. */
const leastColumns = 60;
const pipedColumns = 120;
const gap = " │ ";

interface Line {
  readonly text: string;
  paint(text: string): string;
}

/** A comparison for a terminal, two columns side by side where they fit. */
export function compareText(shown: ShownComparison, { colours, out }: CompareTextOptions): string {
  const columns = out.isTerminal ? out.columns : pipedColumns;
  const isWide = columns >= leastColumns;
  const width = isWide ? Math.floor((columns - gap.length) / 2) : columns;
  const plain = (text: string): string => text;
  const pair = (a: readonly Line[], b: readonly Line[]): readonly string[] => {
    const draw = ({ text, paint }: Line): string => paint(text);
    if (!isWide) {
      const named = (name: string, lines: readonly Line[]): readonly string[] =>
        lines.length === 0 ? [] : [colours.dim(name), ...lines.map(draw)];
      return [...named("A", a), ...named("B", b)];
    }
    return Array.from({ length: Math.max(a.length, b.length) }, (_, at) => {
      const left = a[at] ?? { text: "", paint: plain };
      const right = b[at] ?? { text: "", paint: plain };
      const filled = padded("", width - textWidth(left.text));
      return `${draw(left)}${filled}${colours.dim(gap)}${draw(right)}`.trimEnd();
    });
  };
  const lines: string[] = [
    ...sideLines(shown, 0, columns).map(colours.bold),
    ...sideLines(shown, 1, columns).map(colours.bold),
    ...wrapped(safeLine(commonSentence(shown)), columns).map(colours.dim),
    "",
    ...table(figuresOf(shown), columns, colours),
  ];
  const files = fileRows(shown);
  const isShort = areUnrelated(shown);
  const rows = isShort ? files.slice(0, unrelatedFiles) : files;
  if (rows.length > 0) lines.push("", ...table(rows, columns, colours));
  const rest = files.length - rows.length;
  if (rest > 0) lines.push(colours.dim(`and ${count(rest, "more file")}`));
  if (isShort) {
    lines.push("", ...wrapped(turnsElsewhere, columns).map(colours.dim));
    return `${lines.join("\n")}\n`;
  }
  const [a, b] = shown.sides;
  const lone = loneSide(shown);
  for (const turn of lone === undefined ? [] : shown.sides[lone].turns) {
    const drawn = turnLines(turn, { width: columns, colours });
    lines.push("", ...drawn.map(({ text, paint }) => paint(text)));
  }
  const turns = lone === undefined ? Math.max(a.turns.length, b.turns.length) : 0;
  for (let at = 0; at < turns; at += 1) {
    const draw = (turn: ComparedTurn | undefined): readonly Line[] =>
      turnLines(turn, { width, colours });
    lines.push("", ...pair(draw(a.turns[at]), draw(b.turns[at])));
  }
  if (a.more + b.more > 0) lines.push("", colours.dim("Later turns are not shown."));
  return `${lines.join("\n")}\n`;
}

/** So many files are named of sessions that have nothing in common. */
const unrelatedFiles = 5;

const turnsElsewhere = "Their turns, one after the other: --format md, or html.";

/** What is compared: its reference, and below it its title. */
function sideLines(
  { refs, heads }: ShownComparison,
  side: 0 | 1,
  columns: number,
): readonly string[] {
  const title = truncated(safeLine(titleOf(heads[side])), columns - 2);
  return [...wrapped(safeLine(`${"AB"[side]} ${refs[side]}`), columns), `  ${title}`];
}

/** Three columns: what it is, and each side's; cut to fit. */
function table(rows: readonly Figure[], columns: number, colours: Colours): readonly string[] {
  const safe = rows.map((row) => row.map(safeLine));
  const width = (column: number): number =>
    Math.max(1, ...safe.map((row) => textWidth(row[column]!)));
  const second = Math.min(width(1), Math.floor((columns - 4) / 3));
  const third = Math.min(width(2), Math.floor((columns - 4) / 3));
  const first = Math.max(6, Math.min(width(0), columns - second - third - 4));
  return safe.map(([label = "", a = "", b = ""]) => {
    const name = colours.dim(padded(truncated(label, first), first));
    const one = padded(truncated(a, second), second);
    return `${name}  ${one}  ${truncated(b, third)}`.trimEnd();
  });
}

function turnLines(
  turn: ComparedTurn | undefined,
  { width, colours }: { readonly width: number; readonly colours: Colours },
): readonly Line[] {
  if (turn === undefined) return [];
  const plain = (text: string): string => text;
  const block = (text: string, most: number, paint: (text: string) => string): readonly Line[] => {
    const all = wrapped(safeText(text).trim(), width);
    const rest = all.length - most;
    const shown = all.slice(0, most).map((line) => ({ text: truncated(line, width), paint }));
    return rest > 0 ? [...shown, { text: `… ${rest} more`, paint: colours.dim }] : shown;
  };
  const calls = turn.calls.slice(0, limits.shortToolLines).map((call) => ({
    text: truncated(`⏺ ${safeLine(callText(call))}`, width),
    paint: call.failed === true ? colours.red : colours.yellow,
  }));
  const rest = turn.calls.length - calls.length;
  const more = rest > 0 ? [{ text: `… ${rest} more calls`, paint: colours.dim }] : [];
  const at = turn.event === undefined ? "" : `@${turn.event} `;
  return [
    ...(turn.prompt === "" ? [] : block(`${at}❯ ${turn.prompt}`, 4, colours.cyan)),
    ...calls,
    ...more,
    ...(turn.answer === "" ? [] : block(`● ${turn.answer}`, limits.shortToolLines, plain)),
  ];
}
