/** Counts the tokens of a text. */
export type Estimate = (text: string) => number;

/** A word this long that could be base64 or hex is one: tokenizers find little in it that they know. */
const encodedChars = 64;

const isEncodedAscii = new Uint8Array(128);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-") {
  isEncodedAscii[character.charCodeAt(0)] = 1;
}

/**
 * Tokens of a text where nobody counted them, by what tokenizers make of each script: four characters of English or
 * code are one, two of another alphabet or of base64, and every character of Chinese, Japanese, Korean or Thai and
 * every half of an emoji is one of its own.
 */
export function estimateTokens(text: string): number {
  let quarters = text.length;
  let run = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 128) {
      if (isEncodedAscii[code] === 1) {
        run += 1;
        continue;
      }
    } else quarters += quartersBeyond(code);
    if (run >= encodedChars) quarters += run;
    run = 0;
  }
  if (run >= encodedChars) quarters += run;
  return Math.ceil(quarters / 4);
}

/** What a character outside of ASCII takes beyond the quarter of a token that every one has. */
function quartersBeyond(code: number): number {
  if (code < 0x0900) return 1;
  // Indic scripts, Thai, Lao, Tibetan, Burmese, Georgian, the letters of Hangul.
  if (code < 0x1200) return 3;
  if (code < 0x2e80) return 1;
  // Everything from the radicals of Han to the syllables of Hangul, pairs that make emoji, and what lies beyond.
  return 3;
}

/** As much of the beginning of a text as takes no more than so many tokens. */
export function cutToTokens(text: string, tokens: number, estimate: Estimate): string {
  if (estimate(text) <= tokens) return text;
  let low = 0;
  let high = text.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimate(text.slice(0, middle)) <= tokens) low = middle;
    else high = middle - 1;
  }
  // Half a character at the end is none.
  const isHalved = /[\ud800-\udbff]/.test(text.charAt(low - 1));
  return text.slice(0, isHalved ? low - 1 : low);
}
