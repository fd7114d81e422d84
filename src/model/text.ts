/** One line of at most `chars` characters, cut at a character boundary. */
export function oneLine(text: string, chars: number): string {
  const flat = text
    .slice(0, chars * 8)
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")
    .trim();
  if (flat.length <= chars) return flat.toWellFormed();
  return `${flat
    .slice(0, chars - 1)
    .toWellFormed()
    .trimEnd()}…`;
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
