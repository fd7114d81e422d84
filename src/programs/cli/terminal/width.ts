const plainAscii = /^[\x20-\x7e]*$/;

/** Columns a character takes on a terminal. */
function columnsOf(character: string): number {
  if (plainAscii.test(character)) return 1;
  // Made when they are needed: V8 goes through all of Unicode for each of them.
  const marks = /[\p{Mn}\p{Me}\p{Cf}]/u;
  const wide =
    /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
  if (marks.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** Columns a text without control characters takes on a terminal. */
export function textWidth(text: string): number {
  if (plainAscii.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

/** The text cut to a maximum number of columns, with `…` where something is missing. */
export function truncated(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  return columns > 0 ? `${firstColumns(text, columns - 1)}…` : "";
}

/** The beginning of a text that takes a maximum number of columns. */
export function firstColumns(text: string, columns: number): string {
  let width = 0;
  let kept = "";
  for (const character of text) {
    width += columnsOf(character);
    if (width > columns) break;
    kept += character;
  }
  return kept;
}

/** The end of a text that takes a maximum number of columns. */
export function lastColumns(text: string, columns: number): string {
  let width = 0;
  let kept = "";
  for (const character of [...text].reverse()) {
    width += columnsOf(character);
    if (width > columns) break;
    kept = character + kept;
  }
  return kept;
}

/** The text filled with blanks to so many columns. */
export function padded(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - textWidth(text)));
}

/** The text in lines of a maximum number of columns, broken at blanks where there are any; a tab is four of them. */
export function wrapped(text: string, columns: number): readonly string[] {
  return text
    .replaceAll("\t", "    ")
    .split("\n")
    .flatMap((line) => wrappedLine(line, columns));
}

function wrappedLine(line: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let current = "";
  let width = 0;
  const end = (): void => {
    lines.push(current.trimEnd());
    current = "";
    width = 0;
  };
  for (const piece of line.split(/(?<=\s)/)) {
    const word = piece.trimEnd();
    // Blanks where a line breaks are left out.
    if (word === "" && current === "" && lines.length > 0) continue;
    if (word !== "" && width > 0 && width + textWidth(word) > columns) end();
    for (const character of piece) {
      const step = columnsOf(character);
      if (width + step > columns && character.trim() !== "") end();
      current += character;
      width += step;
    }
  }
  return [...lines, current.trimEnd()];
}
