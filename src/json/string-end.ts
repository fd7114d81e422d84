const quote = 0x22;
const backslash = 0x5c;

/**
 * Where the JSON string ends whose first character stands at `from`: the index of its closing quote. Where it does
 * not end in the text or the bytes given, the index at which what follows them is to be looked at: their end, or one
 * more where an escape is cut in two.
 */
export function stringEnd(text: string | Uint8Array, from: number, end = text.length): number {
  let at = from;
  while (at < end) {
    const code = typeof text === "string" ? text.charCodeAt(at) : text[at];
    if (code === quote) return at;
    at += code === backslash ? 2 : 1;
  }
  return at;
}
