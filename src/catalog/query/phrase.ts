/** Whether words stand next to each other, the last one perhaps only begun. */
export function hasPhrase(
  words: readonly string[],
  phrase: readonly string[],
  prefix: boolean,
): boolean {
  const last = phrase.length - 1;
  for (let at = 0; at + last < words.length; at += 1) {
    let index = 0;
    while (index < last && words[at + index] === phrase[index]) index += 1;
    if (index < last) continue;
    const end = words[at + last]!;
    if (prefix ? end.startsWith(phrase[last]!) : end === phrase[last]) return true;
  }
  return false;
}
