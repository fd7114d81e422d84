/** Shannon entropy of a text in bits per character. */
export function entropyOf(text: string): number {
  const counts = new Map<number, number>();
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** How many of the four kinds of characters (lower, upper, digit, other) a text has. */
export function kindsOf(text: string): number {
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/];
  return kinds.filter((kind) => kind.test(text)).length;
}

/** Whether a text reads as words, such as an identifier or a kebab-case name with a few digits. */
export function looksLikeWords(text: string): boolean {
  const parts = text.match(/[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g);
  if (parts === null) return false;
  let letters = 0;
  let words = 0;
  let digits = 0;
  for (const part of parts) {
    if (/^[0-9]/.test(part)) digits += part.length;
    else {
      letters += part.length;
      words += 1;
    }
  }
  // Long runs of mixed letters have some that look like words by chance.
  const least = text.length >= 24 && /^[A-Za-z0-9]+$/.test(text) && digits > 0 ? 4.2 : 3.5;
  return words > 0 && letters / words >= least && digits <= letters / 3;
}

/** Whether a text can only have been generated: letters and digits without words. */
export function isRandom(text: string): boolean {
  return (
    text.length >= 8 &&
    /[0-9]/.test(text) &&
    /[A-Za-z]/.test(text) &&
    entropyOf(text) >= 2.8 &&
    !looksLikeWords(text)
  );
}

/** Whether a text has as many different characters as a generated secret of its length. */
export function isVaried(text: string): boolean {
  return new Set(text).size >= Math.min(10, text.length / 2);
}
