/** Ways to compare lines, the strictest first: tools forgive blanks and typographic signs. */
const views: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) =>
    line
      .trim()
      .replace(/[\u2010-\u2015\u2212]/g, "-")
      .replace(/[\u2018-\u201b]/g, "'")
      .replace(/[\u201c-\u201f]/g, '"')
      .replace(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, " "),
];

/** Where a run of lines stands, at or after a line; the strictest comparison that finds it counts. */
export function findRun(
  lines: readonly string[],
  run: readonly string[],
  options: { readonly from?: number; readonly atEnd?: boolean } = {},
): number | undefined {
  return placesOf(lines, run, options).next().value ?? undefined;
}

/** Where a run of lines stands if that is one place only. */
export function findOnlyRun(lines: readonly string[], run: readonly string[]): number | undefined {
  const places = placesOf(lines, run, {});
  const first = places.next().value;
  return first === undefined || places.next().value !== undefined ? undefined : first;
}

function* placesOf(
  lines: readonly string[],
  run: readonly string[],
  options: { readonly from?: number; readonly atEnd?: boolean },
): Generator<number, undefined> {
  if (run.length === 0 || run.length > lines.length) return undefined;
  const last = lines.length - run.length;
  for (const view of views) {
    const wanted = run.map(view);
    const isAt = (at: number): boolean =>
      wanted.every((line, index) => view(lines[at + index]!) === line);
    if (options.atEnd === true && last >= (options.from ?? 0) && isAt(last)) {
      yield last;
      return undefined;
    }
    let found = false;
    for (let at = options.from ?? 0; at <= last; at += 1) {
      if (!isAt(at)) continue;
      found = true;
      yield at;
    }
    if (found) return undefined;
  }
  return undefined;
}
