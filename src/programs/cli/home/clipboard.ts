/**
 * What makes a terminal put a text into the clipboard of the machine it runs on, also over ssh (OSC 52). Terminals that do
 * not know it, or whose owner does not allow it, pass it over.
 */
export function copySequence(text: string): string {
  return `\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`;
}
