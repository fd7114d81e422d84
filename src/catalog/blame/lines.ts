/** The lines of a text, whatever ends them; a last line without an end counts. */
export function linesOf(text: string): readonly string[] {
  const plain = plainEnds(text);
  if (plain === "") return [];
  return (plain.endsWith("\n") ? plain.slice(0, -1) : plain).split("\n");
}

/** The same text with plain line ends: agents edit files with others as if they had these. */
export function plainEnds(text: string): string {
  return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
}

/** The lines as a text, each with its end. */
export function textOfLines(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

const tellingLetters = 8;

/** Whether a line says enough to be recognised by itself; a brace or an empty line is in every file. */
export function isTelling(line: string): boolean {
  return line.replace(/[^\p{L}\p{N}]/gu, "").length >= tellingLetters;
}

/** A line without what a formatter changes: blanks, the kind of quotes, a comma or semicolon at the end. */
export function unformatted(line: string): string {
  return line
    .replace(/\s+/g, "")
    .replace(/['`]/g, '"')
    .replace(/[,;]+$/, "");
}
