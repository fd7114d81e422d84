const strong =
  /\b(?:decided|decision|agreed|chose|chosen|must|because|instead of|rather than|never|always|root cause|turned out)\b/i;
const weak = /\b(?:will|should|going to|need to|needs to|let's)\b/i;

/** How much a sentence says about a decision: 2 a reason or a rule, 1 an intention, 0 neither. */
export function decisionWeight(sentence: string): 0 | 1 | 2 {
  if (strong.test(sentence)) return 2;
  return weak.test(sentence) ? 1 : 0;
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
    if (fenced || line.length > 4000) continue;
    for (const part of line.split(/(?<=[.!?])\s+/)) {
      const sentence = part.replace(/^[\s>*#-]+|^\d{1,3}[.)]\s+/g, "").trim();
      if (sentence.length >= 12 && sentence.length <= 300) sentences.push(sentence);
    }
  }
  return sentences;
}
