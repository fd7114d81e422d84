/**
 * Fields of JSON text found without parsing it. The text is bytes read as latin1, so that an index
 * is a byte offset. A key with its quotes and colon cannot lie inside a string: its quotes would be
 * escaped there.
 */
export interface Slice {
  readonly bytes: Buffer;
  /** Where `text` begins in the bytes. */
  readonly start: number;
  readonly text: string;
}

/** A few bytes as text to look for fields in. */
export function sliceOf(bytes: Buffer, start: number, end: number): Slice {
  const from = Math.max(0, start);
  return { bytes, start: from, text: bytes.toString("latin1", from, Math.min(end, bytes.length)) };
}

/** Keys as they stand in the text before a string value; made once, because heads are read often. */
const stringKeys = {
  text: '"text":"',
  message: '"message":"',
  model: '"model":"',
  timestamp: '"timestamp":"',
} as const;

/** The string value of the first such key in a range of the slice, cut at `maxBytes`. */
export function stringField(
  slice: Slice,
  key: keyof typeof stringKeys,
  options: { readonly from?: number; readonly before?: number; readonly maxBytes?: number } = {},
): string | undefined {
  const needle = stringKeys[key];
  const at = slice.text.indexOf(needle, options.from);
  if (at < 0 || at >= (options.before ?? slice.text.length)) return undefined;
  return stringAt(slice, at + needle.length, options.maxBytes);
}

/** The string whose first byte stands at an index, decoded; cut at `maxBytes` or where the slice ends. */
function stringAt(slice: Slice, start: number, maxBytes = 4096): string | undefined {
  const { text, bytes } = slice;
  const limit = Math.min(text.length, start + maxBytes);
  let end = text.indexOf('"', start);
  const stop = end < 0 ? limit : Math.min(end, limit);
  // Looked for in the value alone: a search to the end of the slice would cost more than all else.
  const inside = text.slice(start, stop).indexOf("\\");
  const backslash = start + inside;
  const escaped = inside >= 0;
  if (escaped) {
    for (end = backslash; end < limit && text.charCodeAt(end) !== 0x22; end += 1) {
      if (text.charCodeAt(end) === 0x5c) end += 1;
    }
  }
  if (end < 0 || end > limit) end = limit;
  const plain = bytes.toString("utf8", slice.start + start, slice.start + end);
  if (!escaped) return plain;
  // A cut may have gone through an escape; what is left of it goes too.
  const whole = plain.replace(/(^|[^\\])((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$/, "$1$2");
  try {
    return JSON.parse(`"${whole}"`) as string;
  } catch {
    return undefined;
  }
}

/** The flat object behind the first such key of a line, as text; undefined if there is none. */
export function objectField(
  slice: Slice,
  key: string,
  line: { readonly start: number; readonly end: number },
): string | undefined {
  const at = slice.text.indexOf(key, line.start);
  const end = at < 0 ? -1 : slice.text.indexOf("}", at);
  return end < 0 || end > line.end ? undefined : slice.text.slice(at + key.length - 1, end + 1);
}

/** What kind of record a line holds, from its first bytes. */
export interface LineKind {
  readonly type: string;
  readonly inner: string;
}

const shape = /"type":"(\w+)","payload":\{(?:"type":"(\w+)")?/y;

/** Looks at the beginning of the line that begins at an index of the slice. */
export function lineKind(slice: Slice, start: number): LineKind | undefined {
  const at = slice.text.indexOf('"type":"', start);
  if (at < 0 || at > start + 120) return undefined;
  shape.lastIndex = at;
  const found = shape.exec(slice.text);
  return found === null ? undefined : { type: found[1]!, inner: found[2] ?? "" };
}
