import type { Colours } from "../colours.ts";
import { safeLine } from "../terminal-text.ts";
import { padded, textWidth, truncated, wrapped } from "../width.ts";

/** A key as a screen explains it. */
export interface ShownKey {
  readonly key: string;
  /** A word for the line below. */
  readonly says: string;
  /** A sentence for the page of keys. */
  readonly explains: string;
  /** Which go first if there is no room; the smallest stay. */
  readonly rank: number;
}

/** The line of keys below a screen: as many as there is room for, the most needed first. */
export function keysLine(rows: readonly ShownKey[], columns: number): string {
  let kept = rows;
  const line = (): string => kept.map(({ key, says }) => `${key} ${says}`).join("  ");
  while (kept.length > 1 && textWidth(line()) > columns) {
    const last = Math.max(...kept.map(({ rank }) => rank));
    kept = kept.filter(({ rank }) => rank !== last);
  }
  return truncated(line(), columns);
}

/** The maximum lines of a message. */
const messageRows = 8;

/** What became of an action, as lines below a screen. */
export function messageLines(
  message: string,
  { columns, colours }: { readonly columns: number; readonly colours: Colours },
): readonly string[] {
  const said = message.split("\n").filter((line) => line.trim() !== "");
  const lines = said.flatMap((line) => wrapped(safeLine(line), columns));
  const shown = lines.slice(0, messageRows);
  if (lines.length > messageRows) shown[messageRows - 1] += "…";
  return shown.map((line) => colours.yellow(truncated(line, columns)));
}

/** The page of keys, and below it what else there is to know. */
export function keyPage(
  rows: readonly ShownKey[],
  options: { readonly columns: number; readonly colours: Colours; readonly about: string },
): readonly string[] {
  const { columns, colours, about } = options;
  const keys = rows.flatMap(({ key, explains }) => {
    const [first = "", ...rest] = wrapped(explains, Math.max(8, columns - 8));
    return [`  ${colours.cyan(padded(key, 5))} ${first}`, ...rest.map((line) => `        ${line}`)];
  });
  const more = wrapped(about, Math.max(8, columns - 2)).map((line) => `  ${line}`);
  return [colours.bold("Keys"), ...keys, "", ...more];
}
