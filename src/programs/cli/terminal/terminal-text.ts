import { jsonText } from "../render/json-text.ts";

// A transcript is hostile input: an escape sequence in it may retitle the terminal, write the
// clipboard, move the cursor over what was printed, or answer as if the user had typed.

const colourSequences = /\u001b\[[0-9;:]*m/g;
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
// Overrides, embeddings and isolates reorder the text around them; plain marks of direction do not.
const directions = /[\u202a-\u202e\u2066-\u2069]/g;

const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** Text that does nothing to a terminal: colours are dropped, other controls are made visible. */
export function safeText(text: string): string {
  // Most texts have nothing of all this, and one look says.
  if (!acting.test(text)) return text;
  return text
    .replace(colourSequences, "")
    .replaceAll("\r\n", "\n")
    .replace(controls, visibleControl)
    .replace(directions, visibleDirection);
}

/** The same on one line. */
export function safeLine(text: string): string {
  return safeText(text).replace(/[\n\t\u2028\u2029]+/g, " ");
}

function visibleControl(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}

function visibleDirection(character: string): string {
  return `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}>`;
}

/**
 * One value as JSON on one line. What JSON leaves as it is but a terminal obeys, or what other
 * readers take for a line end, is written as an escape: the value is the same.
 */
export function jsonLine(value: unknown): string {
  return jsonText(value).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
