import type { Clause, Query, Term } from "./query.ts";

/** A query in the words of FTS5; undefined where it asks for no word at all. */
export function matchExpression({ clauses, filters }: Query): string | undefined {
  const wanted = clauses.filter(({ not }) => !not).map(clauseText);
  const unwanted = clauses.filter(({ not }) => not).map(clauseText);
  for (const { key, value, not } of filters) {
    const fact =
      key === "tool"
        ? `^"${escaped(value)}"`
        : key === "is" || key === "has"
          ? `"${key}${value}"`
          : undefined;
    if (fact !== undefined) (not ? unwanted : wanted).push(`(facts : ${fact})`);
  }
  if (wanted.length === 0) return undefined;
  const all = `(${wanted.join(" AND ")})`;
  return unwanted.reduce((left, right) => `(${left} NOT ${right})`, all);
}

/** What must not be there, where nothing else is asked for by words. */
export function unwantedExpression({ clauses }: Query): string | undefined {
  const unwanted = clauses.filter(({ not }) => not).map(clauseText);
  return unwanted.length === 0 ? undefined : unwanted.join(" OR ");
}

/** A phrase in the text, such as the words of a path. */
export function phraseExpression(text: string): string {
  return `text : "${escaped(text)}"`;
}

function clauseText({ anyOf }: Clause): string {
  return `(text : (${anyOf.map(termText).join(" OR ")}))`;
}

function termText({ text, prefix }: Term): string {
  return `"${escaped(text)}"${prefix ? " *" : ""}`;
}

function escaped(text: string): string {
  return text.replaceAll('"', '""').replaceAll("\0", " ");
}
