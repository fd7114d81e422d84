/** A place in a text that holds a secret, and the rule that says so. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
  /** What the mask needs on both sides where the secret is not a string: the quote of the JSON around it. */
  readonly wrap?: string;
}

/** Joins spans that touch the same characters; the one that begins first names the joined span. */
export function joinSpans(spans: readonly Span[]): readonly Span[] {
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const joined: (Span & { end: number })[] = [];
  for (const span of sorted) {
    const last = joined.at(-1);
    if (last === undefined || span.start >= last.end) joined.push({ ...span });
    else last.end = Math.max(last.end, span.end);
  }
  return joined;
}

/** The spans that touch none of the others; both sorted by start and free of overlaps. */
export function outside(spans: readonly Span[], others: readonly Span[]): readonly Span[] {
  let at = 0;
  return spans.filter((span) => {
    while (at < others.length && others[at]!.end <= span.start) at += 1;
    const other = others[at];
    return other === undefined || other.start >= span.end;
  });
}
