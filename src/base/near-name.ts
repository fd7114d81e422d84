/** The name a word most likely means: one that begins like it, else one that few letters tell from it. */
export function nearName(word: string, names: readonly string[]): string | undefined {
  const allowed = Math.max(1, Math.floor(word.length / 3));
  return (
    names.find((name) => word.length >= 3 && name.startsWith(word.slice(0, 3))) ??
    names.find((name) => distance(name, word) <= allowed)
  );
}

/** How many letters must change to turn one word into the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, swap));
    }
    row = next;
  }
  return row[b.length]!;
}
