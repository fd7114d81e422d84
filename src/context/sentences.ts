const decides =
  /\b(?:decided|decision|agreed|chose|chosen|must|instead of|rather than|never|always|root cause|turned out)\b/i;

/** What an agent says of its very next step is no decision, whatever its words. */
const nextStep =
  /^(?:now|next|first|then|let me|let's|i(?:'ll|'m| will| am| need| must| should)\b)/i;

/** Whether a sentence says what was decided, a rule or a finding; rather too seldom than wrongly. */
export function isDecision(sentence: string): boolean {
  return decides.test(sentence) && !nextStep.test(sentence) && !sentence.endsWith("?");
}

/** The sentences of a text, without fenced code; each on one line and of a length one reads. */
export function sentencesOf(text: string): readonly string[] {
  const sentences: string[] = [];
  let fenced = false;
  for (const line of text.split("\n")) {
    if (/^\s{0,8}(?:```|~~~)/.test(line)) {
      fenced = !fenced;
      continue;
    }
    // A row of a table is no sentence.
    if (fenced || line.length > 4000 || /^\s*\|/.test(line)) continue;
    for (const part of line.split(/(?<=[.!?])\s+/)) {
      const sentence = part.replace(/^[\s>*#-]+|^\d{1,3}[.)]\s+/g, "").trim();
      if (sentence.length >= 12 && sentence.length <= 300) sentences.push(sentence);
    }
  }
  return sentences;
}
