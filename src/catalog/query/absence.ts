import { rootOf, type Sought, type SoughtTerm } from "./sought.ts";

const plain = /^[\x00-\x7f]*$/;

/** A quick look before a text is taken apart: whether it surely has nothing that is looked for. */
export function absenceOf(sought: readonly Sought[]): (text: string) => boolean {
  const roots = sought.flatMap(({ terms }) => terms.map(lettersOf));
  // Only plain letters cannot be hidden by an accent.
  const isTold = roots.every((root) => root !== undefined && plain.test(root));
  if (!isTold) return () => false;
  return (text) => {
    if (!plain.test(text)) return false;
    const lower = text.toLowerCase();
    return !roots.some((root) => lower.includes(root!));
  };
}

/** Letters that a text has if it has the term. */
function lettersOf(term: SoughtTerm): string | undefined {
  return term.kind === "phrase" ? term.words[0] : rootOf(term);
}
