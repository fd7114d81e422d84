import type { Clause, Query, Term } from "./query.ts";

/** A query in the words of FTS5; undefined where it asks for no word at all. */
export function matchExpression(query: Query): string | undefined {
  const wanted = expressions(query, false);
  if (wanted.length === 0) return undefined;
  const all = `(${wanted.join(" AND ")})`;
  return expressions(query, true).reduce((left, right) => `(${left} NOT ${right})`, all);
}

/** What must not be there, where nothing else is asked for by words. */
export function unwantedExpression(query: Query): string | undefined {
  const unwanted = expressions(query, true);
  return unwanted.length === 0 ? undefined : unwanted.join(" OR ");
}

/** What the words of an event must all have, or have none of. */
function expressions({ clauses }: Query, not: boolean): readonly string[] {
  return clauses.filter((clause) => clause.not === not).map(clauseText);
}

/** A phrase in the text, such as the words of a path. */
export function phraseExpression(text: string): string {
  return `"${escaped(text)}"`;
}

function clauseText({ anyOf }: Clause): string {
  return `(${anyOf.map(termText).join(" OR ")})`;
}

function termText({ text, prefix }: Term): string {
  return `"${escaped(text)}"${prefix ? " *" : ""}`;
}

function escaped(text: string): string {
  return text.replaceAll('"', '""').replaceAll("\0", " ");
}
