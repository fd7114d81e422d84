/** The part of a page that fits its place, and a line that says how to see more of it. */
export function partOfPage(
  lines: readonly string[],
  { from, rows }: { readonly from: number; readonly rows: number },
): readonly string[] {
  if (lines.length <= rows || rows < 2) return lines.slice(0, Math.max(0, rows));
  const first = Math.min(from, lines.length - rows + 1);
  const rest = lines.length - first - rows + 1;
  const more = rest > 0 ? `… PgDn: ${rest} more` : "PgUp: back";
  return [...lines.slice(first, first + rows - 1), more];
}
