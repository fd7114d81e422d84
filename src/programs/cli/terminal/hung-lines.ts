import { lastColumns, textWidth, wrapped } from "./width.ts";

/** What stands before the text of a line of code, of a file or of a list: blanks, and a number or a sign. */
const lead = /^\s*(?:(?:\d+[→:.\t]|[-+*•](?=\s))\s*)?/;

/**
 * A line in as many as the width takes; those that follow hang under its text, unless a word would have to be broken that
 * fits the width. A tab is four blanks.
 */
export function hungLines(line: string, columns: number): readonly string[] {
  const lines = wrapped(line, columns);
  if (lines.length === 1) return lines;
  const [sign = ""] = lead.exec(line) ?? [];
  const text = line.slice(sign.length);
  const before = sign.replaceAll("\t", "    ");
  const fitting = text
    .split(/\s+/)
    .map(textWidth)
    .filter((width) => width <= columns);
  const widest = fitting.reduce((most, width) => Math.max(most, width), columns >> 1);
  // Blanks that leave too little room for the text are cut, a number or a sign is not.
  const hang = Math.min(textWidth(before), columns - widest);
  if (textWidth(before.trimStart()) > hang) return lines;
  const [first = "", ...rest] = wrapped(text, columns - hang);
  return [lastColumns(before, hang) + first, ...rest.map((part) => " ".repeat(hang) + part)];
}
