/*
 * A stored text as one line that means what it looks like: without control characters, without letters nobody sees
 * (zero width, bidirectional marks, tags, variation selectors), which can hide instructions from the person who approves.
 */

const hidden = /\p{Cc}|\p{Cf}|\p{Default_Ignorable_Code_Point}/gu;

/** The text on one line, without what cannot be seen, cut to so many characters. */
export function plainLine(text: string, mostChars: number): string {
  const line = text
    .toWellFormed()
    .replace(/\s+/gu, " ")
    .replace(hidden, "")
    .replace(/\s+/gu, " ")
    .trim();
  if (line.length <= mostChars) return line;
  // Half a letter would be another one in a file, and the line there not this one any more.
  return `${line
    .slice(0, mostChars - 1)
    .toWellFormed()
    .trimEnd()}…`;
}

/** Whether a text has letters that nobody sees. */
export function hasHidden(text: string): boolean {
  return text.replace(/\s/gu, "").search(hidden) >= 0;
}

/** Letters that nobody sees, but those that make one picture of several. */
const unseen =
  /(?<!\p{Extended_Pictographic}\ufe0f?)(?!\s)(?:\p{Cc}|\p{Cf}|\p{Default_Ignorable_Code_Point})/gu;

/** The text with every letter that nobody sees written out as `<U+200B>`, for the person who decides. */
export function withHiddenShown(text: string): string {
  return text
    .toWellFormed()
    .replace(
      unseen,
      (letter) => `<U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}>`,
    );
}
