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
export const stringKeys = {
  text: '"text":"',
  branch: '"branch":"',
  commit: '"commit_hash":"',
  cwd: '"cwd":"',
  forkedFrom: '"forked_from_id":"',
  message: '"message":"',
  model: '"model":"',
  parent: '"parent_thread_id":"',
  remote: '"repository_url":"',
  timestamp: '"timestamp":"',
  version: '"cli_version":"',
} as const;

/** The string value of the first such key from an index on, cut at `maxBytes`. */
export function stringField(
  slice: Slice,
  key: keyof typeof stringKeys,
  options: { readonly from?: number; readonly maxBytes?: number } = {},
): string | undefined {
  const needle = stringKeys[key];
  const at = slice.text.indexOf(needle, options.from);
  if (at < 0) return undefined;
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

/** The flat object behind the first such key, as text; undefined if it is not there or cut off. */
export function objectField(slice: Slice, key: string): string | undefined {
  const needle = `"${key}":{`;
  const at = slice.text.indexOf(needle);
  const end = at < 0 ? -1 : slice.text.indexOf("}", at);
  return end < 0 ? undefined : slice.text.slice(at + needle.length - 1, end + 1);
}

/** What kind of record a line holds, from its first bytes. */
export interface LineKind {
  readonly type: string;
  readonly inner: string;
}

const shape = /"type":"(\w+)","payload":\{(?:"type":"(\w+)")?/;

/** Looks at the beginning of a line. */
export function lineKind(bytes: Buffer, start: number, end: number): LineKind | undefined {
  const found = shape.exec(bytes.toString("latin1", start, Math.min(end, start + 140)));
  return found === null ? undefined : { type: found[1]!, inner: found[2] ?? "" };
}
