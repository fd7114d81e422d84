/**
 * Whether bytes hold a text. A text from a file may have half a character in it, and Node 24 ends the process when it looks
 * for such a text itself.
 */
export function holdsText(bytes: Buffer, text: string): boolean {
  return bytes.includes(Buffer.from(text));
}
