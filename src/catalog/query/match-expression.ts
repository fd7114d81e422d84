import type { Query, Term } from "./query.ts";

/*
 * Exact things in the words of FTS5. They are looked for in the texts alone, not in the parts of names.
 */

/** What must not be there; undefined where nothing must not. */
export function unwantedExpression({ clauses }: Query): string | undefined {
  const unwanted = clauses.filter(({ not }) => not).flatMap(({ anyOf }) => anyOf);
  return unwanted.length === 0 ? undefined : `{text} : (${unwanted.map(termText).join(" OR ")})`;
}

/** Words that stand next to each other, such as those of a path. */
export function phraseExpression(text: string, prefix = false): string {
  return `{text} : ${termText({ text, prefix })}`;
}

function termText({ text, prefix }: Pick<Term, "text" | "prefix">): string {
  return `"${escaped(text)}"${prefix ? " *" : ""}`;
}

function escaped(text: string): string {
  return text.replaceAll('"', '""').replaceAll("\0", " ");
}
