import { safeLine } from "../terminal-text.ts";
import { firstColumns, lastColumns, textWidth } from "../width.ts";
import type { Key } from "./keys.ts";

/** A line that is being typed, and the place in it. */
export interface TypedLine {
  readonly text: string;
  readonly cursor: number;
}

/** A line with the place at its end. */
export function lineOf(text: string): TypedLine {
  return { text, cursor: text.length };
}

/** What a key makes of a line; undefined for a key that types and erases nothing. */
export function typedOn(
  { text, cursor }: TypedLine,
  key: Key,
  mostChars: number,
): TypedLine | undefined {
  const [before, behind] = [text.slice(0, cursor), text.slice(cursor)];
  const kept = (start: string): TypedLine => ({ text: start + behind, cursor: start.length });
  switch (key.name) {
    case "text": {
      const room = Math.max(0, mostChars - text.length);
      return kept(before + key.text.slice(0, room).toWellFormed());
    }
    case "backspace":
      return kept([...before].slice(0, -1).join(""));
    case "delete":
      return { text: before + [...behind].slice(1).join(""), cursor };
    case "clear":
      return kept("");
    case "eraseWord":
      return kept(before.replace(/\S+\s*$/, ""));
    case "left":
      return { text, cursor: cursor - ([...before].at(-1)?.length ?? 0) };
    case "right":
      return { text, cursor: cursor + ([...behind][0]?.length ?? 0) };
    case "home":
      return { text, cursor: 0 };
    case "end":
      return lineOf(text);
    default:
      return undefined;
  }
}

/** The part of a line around the place, with a mark at it, on so many columns; an end of a line in it is shown as `⏎`. */
export function shownLine({ text, cursor }: TypedLine, columns: number): string {
  const shown = (part: string): string => safeLine(part.replaceAll("\n", "⏎"));
  const [before, behind] = [shown(text.slice(0, cursor)), shown(text.slice(cursor))];
  const room = Math.max(0, columns - 1);
  const wanted = Math.min(textWidth(behind), Math.floor(room / 3));
  const start = lastColumns(before, room - wanted);
  return `${start}▏${firstColumns(behind, room - textWidth(start))}`;
}
