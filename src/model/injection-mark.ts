const opening = "<reprise-context>";
const closing = "</reprise-context>";

/** Puts the marks around a text we give to a model, so that it is known as ours wherever it turns up. */
export function marked(text: string): string {
  return `${opening}\n${text.replaceAll(closing, "")}\n${closing}`;
}

/** Whether a text holds something we gave to a model. */
export function isMarked(text: string): boolean {
  return text.includes(opening);
}

/** The text without what we gave to a model; what it says itself is left as it is. */
export function withoutMarked(text: string): string {
  let rest = text;
  for (let from = rest.indexOf(opening); from >= 0; from = rest.indexOf(opening, from)) {
    const end = rest.indexOf(closing, from);
    rest = rest.slice(0, from) + (end < 0 ? "" : rest.slice(end + closing.length));
  }
  return rest;
}
