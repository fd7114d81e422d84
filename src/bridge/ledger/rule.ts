const rule = /\b(?:must(?:n't)?|never|always|do not|don't|only|make sure|no new)\b/i;

/** Whether a text, or a sentence of it, says how something has to be done. */
export function setsRule(text: string): boolean {
  return rule.test(text);
}
