/*
 * Names of files are bytes. They are kept as strings: what is UTF-8 as the text it is, and every other byte as one
 * lone surrogate, U+DC80 to U+DCFF, which no text has. So nothing is lost, and the usual name costs nothing.
 */

const replacement = "\uFFFD";
const surrogateBase = 0xdc00;

/** Whether a name as Node decoded it may have lost bytes. */
export function mayHaveLost(name: string): boolean {
  return name.includes(replacement);
}

/** The name that bytes stand for. */
export function nameOfBytes(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (!mayHaveLost(text) || Buffer.from(text).equals(bytes)) return text;
  let name = "";
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    name +=
      length === 0
        ? String.fromCharCode(surrogateBase + bytes[at]!)
        : bytes.toString("utf8", at, at + length);
    at += Math.max(1, length);
  }
  return name;
}

/** The bytes of a name or a path. */
export function bytesOfName(name: string): Buffer {
  if (name.isWellFormed()) return Buffer.from(name);
  const parts: Buffer[] = [];
  for (const character of name) {
    const code = character.charCodeAt(0);
    const isByte = character.length === 1 && code >= 0xdc80 && code <= 0xdcff;
    parts.push(isByte ? Buffer.of(code - surrogateBase) : Buffer.from(character));
  }
  return Buffer.concat(parts);
}

/** A path as Node takes it: a text, or bytes where it is not a text. */
export function pathFor(path: string): string | Buffer {
  return path.isWellFormed() ? path : bytesOfName(path);
}

/** A name for people: bytes that are no text are written as `\xE9`. */
export function shownName(name: string): string {
  if (name.isWellFormed()) return name;
  return [...name]
    .map((character) => {
      const code = character.charCodeAt(0);
      if (character.length > 1 || code < 0xdc80 || code > 0xdcff) return character;
      return `\\x${(code - surrogateBase).toString(16).toUpperCase()}`;
    })
    .join("")
    .toWellFormed();
}

/** How many bytes of sound UTF-8 one character takes at a place; 0 where there is none. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > bytes.length) return 0;
  const text = bytes.toString("utf8", at, at + length);
  return Buffer.from(text).equals(bytes.subarray(at, at + length)) ? length : 0;
}
