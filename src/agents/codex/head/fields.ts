/** The flat object behind the first such key of a line, as text; undefined if there is none. */
export function objectField(
  text: string,
  key: string,
  line: { readonly start: number; readonly end: number },
): string | undefined {
  const at = text.indexOf(key, line.start);
  const end = at < 0 ? -1 : text.indexOf("}", at);
  return end < 0 || end > line.end ? undefined : text.slice(at + key.length - 1, end + 1);
}

/** What kind of record a line holds, from its first bytes. */
export interface LineKind {
  readonly type: string;
  readonly inner: string;
}

const shape = /"type":"(\w+)","payload":\{(?:"type":"(\w+)")?/y;

/** Looks at the beginning of the line that begins at an index of a window. */
export function lineKind(text: string, start: number): LineKind | undefined {
  const at = text.indexOf('"type":"', start);
  if (at < 0 || at > start + 120) return undefined;
  shape.lastIndex = at;
  const found = shape.exec(text);
  return found === null ? undefined : { type: found[1]!, inner: found[2] ?? "" };
}
