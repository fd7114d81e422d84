/** What stands behind the last line of a text that does not end with a line end; no line holds it, for lines have no end. */
const noEnd = "\n\\ No newline at end of file";

/** The lines of a text as a diff has them: carriage returns stay, and a last line without an end says so. */
export function exactLines(text: string): readonly string[] {
  if (text === "") return [];
  if (text.endsWith("\n")) return text.slice(0, -1).split("\n");
  const lines = text.split("\n");
  return [...lines.slice(0, -1), `${lines.at(-1)}${noEnd}`];
}

/** The text that exact lines make; a line without an end that is not the last one any more gets one. */
export function exactText(lines: readonly string[]): string {
  const last = lines.at(-1);
  if (last === undefined) return "";
  const plain = lines.map((line) => (line.endsWith(noEnd) ? line.slice(0, -noEnd.length) : line));
  return `${plain.join("\n")}${last.endsWith(noEnd) ? "" : "\n"}`;
}

/** Lines as edits see them, without what only the exact text has. */
export function plainLines(lines: readonly string[]): readonly string[] {
  return lines.map((line) =>
    (line.endsWith(noEnd) ? line.slice(0, -noEnd.length) : line).replace(/\r$/, ""),
  );
}

const lookedAtBytes = 8 * 1024;

/** Whether bytes are no text: text has no byte 0. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, lookedAtBytes).includes(0);
}
