import { safeText } from "../terminal/terminal-text.ts";

/** Text that is safe between tags and inside a quoted attribute. */
export function escaped(text: string): string {
  return safeText(text)
    .toWellFormed()
    .replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
