/** Blanks and controls that are not already a single space; most gaps between words need no change. */
const uneven =
  / [\s\u0000-\u001f\u007f-\u009f]+|(?:[^\S ]|[\u0000-\u001f\u007f-\u009f])[\s\u0000-\u001f\u007f-\u009f]*/g;

/** One line of at most `chars` characters, cut at a character boundary. */
export function oneLine(text: string, chars: number): string {
  // Most texts have few blanks to take out: a longer piece is looked at only where they had many.
  let flat = flattened(text.slice(0, chars * 2));
  if (flat.length <= chars && text.length > chars * 2) flat = flattened(text.slice(0, chars * 8));
  if (flat.length <= chars) return flat.toWellFormed();
  return `${flat
    .slice(0, chars - 1)
    .toWellFormed()
    .trimEnd()}…`;
}

function flattened(text: string): string {
  return text.replace(uneven, " ").trim();
}

/** The value with every string made well-formed, so that the log is valid UTF-8. */
export function wellFormed<T>(value: T): T {
  return map(value) as T;
}

function map(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(map);
  if (typeof value === "object" && value !== null) {
    const copy: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(value)) copy[key.toWellFormed()] = map(inner);
    return copy;
  }
  return value;
}
