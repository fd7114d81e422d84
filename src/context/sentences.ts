/** Words that decide, set a rule or name a cause; an agreement only with what was agreed, no word within code. */
const decides =
  /\b(?:decided|decision|agreed (?:to|on|that|upon)|chose|chosen|must|turned out)\b|\b(?:never|always)\b(?![[-])|\broot cause\b(?!\W*$)/i;

/** What was taken instead of something else; of an agent's own doing, it says only how it proceeds. */
const prefers = /\b(?:instead of|rather than)\b/i;
const underWay = /\bi(?:'ll|'m| will| am)\b/i;

/** What an agent says of its very next step is no decision, whatever its words. */
const nextStep =
  /^(?:now|next|first|then|let me|let's|i(?:'ll|'m| will| am| need| must| should)\b)/i;

/** What is asked for, with or without a question mark; a rule that is asked for stays one. */
const asks =
  /^(?:(?:and|also|but|so|ok|okay|hey|hi|hello),?\s+)*(?:please (?!(?:always|never)\b)|(?:can|could|would|will|should|shall|may|do|does|did) (?:we|you|i|it|they|this|that|there|the)\b|(?:is|are|was|were|why|what|how|who)\b)/i;

/** How far something is: true for a moment. */
const progress = /^(?:no|nothing|not)\b.*\byet\b|\bstill (?:running|waiting|working|going)\b/i;

/** A line that only leads to others, or that is code. */
const partial = /[?:]\W*$|^\/\//;

/** Whether a sentence says what was decided, a rule or a finding; rather too seldom than wrongly. */
export function isDecision(sentence: string): boolean {
  const plain = sentence.replaceAll("’", "'");
  if (![nextStep, asks, progress, partial].every((pattern) => !pattern.test(plain))) return false;
  return decides.test(plain) || (prefers.test(plain) && !underWay.test(plain));
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
