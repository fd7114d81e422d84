import type { Colours } from "../colours.ts";

/** A line with the words that were looked for marked, whatever styles it has already. */
export function highlighted(line: string, words: readonly string[], colours: Colours): string {
  if (words.length === 0 || !colours.enabled) return line;
  const pattern = new RegExp(words.map(escapedPattern).join("|"), "gi");
  const mark = (text: string): string => colours.bold(colours.yellow(text));
  // Between two styles is text; what a style is made of is left alone.
  return line
    .split(/(\u001b\[[0-9;]*m)/)
    .map((part) => (part.startsWith("\u001b") ? part : part.replace(pattern, mark)))
    .join("");
}

function escapedPattern(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
