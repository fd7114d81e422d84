/** What the program takes a line of its history for when it restores one. */
export type LineKind = "heading" | "program" | "user" | "assistant";

/** A line with its end, as Python reads a text and its `splitlines` cuts it: any carriage return is a newline. */
export interface HistoryLine {
  readonly text: string;
  /** What ended it; empty for the last line of a file without one. */
  readonly end: string;
}

const userMark = "#### ";
const programMark = "> ";
const breaks = /\r\n|[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/g;

/** The rules of `--restore-chat-history`, which look at the first characters alone. */
export function kindOfLine(text: string): LineKind {
  const first = text.charCodeAt(0);
  if (first !== 0x23 && first !== 0x3e) return "assistant";
  if (text.startsWith("# ")) return "heading";
  if (text.startsWith(programMark)) return "program";
  return text.startsWith(userMark) ? "user" : "assistant";
}

/** Who truly wrote a line: input and the program's own words end in two spaces, an answer's lines do not. */
export function authorOfLine(text: string): "user" | "program" | "answer" {
  const marked = text.endsWith("  ");
  if (marked && text.startsWith(userMark)) return "user";
  return marked && text.startsWith(programMark) ? "program" : "answer";
}

/** The text of a line without the mark of its kind. */
export function withoutMark(text: string): string {
  if (text.startsWith(userMark)) return text.slice(userMark.length);
  return text.startsWith(programMark) ? text.slice(programMark.length) : text;
}

/** A line of the file cut at all the places where Python cuts; most have none. */
export function splitLine(text: string, newlineFollows: boolean): readonly HistoryLine[] {
  const end = newlineFollows ? "\n" : "";
  if (text.search(breaks) < 0) return [{ text, end }];
  const lines: HistoryLine[] = [];
  let start = 0;
  for (const found of text.matchAll(breaks)) {
    // A carriage return right before the newline belongs to it.
    const atEnd = found[0] === "\r" && newlineFollows && found.index === text.length - 1;
    lines.push({
      text: text.slice(start, found.index),
      end: found[0].startsWith("\r") ? "\n" : found[0],
    });
    start = found.index + found[0].length;
    if (atEnd) return lines;
  }
  if (start < text.length || newlineFollows) lines.push({ text: text.slice(start), end });
  return lines;
}
