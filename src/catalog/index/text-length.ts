const steps = 3;
const mostClass = 63;
/** Characters of a word and the blank behind it, as code and English have them. */
const wordChars = 6;

/** How long a text is, in a few bits: the same number for texts that differ by less than a quarter. */
export function lengthClass(chars: number): number {
  return Math.min(mostClass, Math.floor(steps * Math.log2(1 + chars)));
}

const lengths = Array.from({ length: mostClass + 1 }, (_, at) =>
  Math.max(1, Math.round((2 ** ((at + 0.5) / steps) - 1) / wordChars)),
);

/** About how many words a text of a class has. */
export function wordsOfClass(at: number): number {
  return lengths[at] ?? 1;
}
