/** A command of this program as it can be typed into a shell. */
export function typedLine(words: readonly string[]): string {
  return ["reprise", ...words].map(asTyped).join(" ");
}

/** The same command with `--yes`, before what stands behind `--`. */
export function withYes(words: readonly string[]): readonly string[] {
  const behind = words.indexOf("--");
  const at = behind < 0 ? words.length : behind;
  return [...words.slice(0, at), "--yes", ...words.slice(at)];
}

/** A word as it is where no shell takes it for anything else; else in quotes, double ones where they are enough for every shell. */
function asTyped(word: string): string {
  if (/^[\p{L}\p{N}@%+=:,./_-]+$/u.test(word)) return word;
  if (!/["\\$`!\n]/.test(word)) return `"${word}"`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
