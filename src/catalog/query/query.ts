import { RepriseError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { isTime } from "../../base/parse-time.ts";
import { roles } from "../index/kind.ts";
import { wordsOf } from "./words.ts";

/** A word, a phrase or the beginning of a word. */
export interface Term {
  /** As it was typed, without quotes. */
  readonly text: string;
  /** Its words as the index knows them; several stand next to each other. */
  readonly words: readonly string[];
  /** The last word is only the beginning of one. */
  readonly prefix: boolean;
  /** It stood in quotes, and so is meant as it is. */
  readonly quoted: boolean;
}

/** Terms of which one must be there, or none. */
export interface Clause {
  readonly anyOf: readonly Term[];
  readonly not: boolean;
}

export const filterKeys = [
  "agent",
  "session",
  "project",
  "here",
  "role",
  "tool",
  "file",
  "branch",
  "model",
  "author",
  "since",
  "until",
  "tag",
  "is",
  "has",
] as const;

/** What a query can be narrowed by. */
export type FilterKey = (typeof filterKeys)[number];

/** What a found event or its session must be. */
export interface Filter {
  readonly key: FilterKey;
  readonly value: string;
  readonly not: boolean;
}

/** What a search asks for. */
export interface Query {
  readonly clauses: readonly Clause[];
  readonly filters: readonly Filter[];
}

/** Filters that choose events by what they are. */
const eventKeys: ReadonlySet<FilterKey> = new Set(["role", "is", "has"]);

/**
 * The files whose calls alone are asked for: those of `file:` where neither words nor filters choose among the events.
 * Otherwise `file:` chooses sessions.
 */
export function filesAlone({ clauses, filters }: Query): readonly string[] {
  const isChosen = clauses.some(({ not }) => !not) || filters.some(({ key }) => eventKeys.has(key));
  if (isChosen) return [];
  return filters.flatMap(({ key, value, not }) => (key === "file" && !not ? [value] : []));
}

const ofTools: ReadonlySet<FilterKey> = new Set(["tool", "is", "role"]);

/** Whether filters ask for what tools did: then what a result answers is shown with it, though it must be read for that. */
export function asksTools({ filters }: Query): boolean {
  return filters.some(({ key }) => ofTools.has(key));
}

interface Piece {
  readonly at: number;
  readonly text: string;
  readonly quoted: boolean;
  readonly not: boolean;
  readonly prefix: boolean;
  readonly key?: FilterKey;
}

/**
 * Reads a query: words, `"phrases"`, `begin*`, `-not`, `a OR b`, and filters such as `agent:codex`.
 * What cannot be read is a `usage` error that says at which character.
 */
export function parseQuery(text: string): Query {
  if (text.length > limits.queryChars) {
    throw malformed(text, limits.queryChars, `a query has at most ${limits.queryChars} characters`);
  }
  const pieces = piecesOf(text);
  if (pieces.length > limits.queryTerms) {
    throw malformed(text, pieces[limits.queryTerms]!.at, `at most ${limits.queryTerms} terms`);
  }
  const clauses: { anyOf: Term[]; not: boolean }[] = [];
  const filters: Filter[] = [];
  let joins: Piece | undefined;
  let before: "word" | "other" = "other";
  for (const piece of pieces) {
    if (isOr(piece)) {
      if (before !== "word" || joins !== undefined) {
        throw malformed(text, piece.at, "OR stands between two words");
      }
      joins = piece;
      continue;
    }
    if (isFilter(piece)) {
      if (joins !== undefined) throw malformed(text, joins.at, "OR stands between two words");
      filters.push({ key: piece.key, value: checkedValue(text, piece), not: piece.not });
      before = "other";
      continue;
    }
    const term = termOf(piece);
    // A lone sign, as in `this & that`, is nothing to look for.
    if (term === undefined) continue;
    const last = clauses.at(-1);
    if (joins !== undefined && last !== undefined) {
      if (piece.not) throw malformed(text, piece.at, "a word after OR cannot be excluded");
      last.anyOf.push(term);
    } else clauses.push({ anyOf: [term], not: piece.not });
    before = piece.not ? "other" : "word";
    joins = undefined;
  }
  if (joins !== undefined) throw malformed(text, joins.at, "OR stands between two words");
  if (clauses.length === 0 && filters.length === 0 && pieces.length > 0) {
    throw malformed(text, pieces[0]!.at, "there is no letter or digit to look for");
  }
  if (clauses.length > 0 && clauses.every(({ not }) => not) && filters.length === 0) {
    throw malformed(text, pieces[0]!.at, "something must be looked for, not only left out");
  }
  return { clauses, filters };
}

/** The error for a query that cannot be read, with the place marked below it. */
function malformed(text: string, at: number, why: string): RepriseError {
  const from = Math.max(0, at - 40);
  const shown = text.slice(from, at + 40).replace(/\s/g, " ");
  return new RepriseError(
    "usage",
    `The query cannot be read at character ${at + 1}: ${why}.\n  ${shown}\n  ${" ".repeat(at - from)}^`,
    { hint: "See `reprise search --help`; `--substring` takes any text as it is." },
  );
}

function isOr(piece: Piece): boolean {
  return !piece.quoted && piece.key === undefined && /^(OR|\|\|?)$/.test(piece.text);
}

function isFilter(piece: Piece): piece is Piece & { readonly key: FilterKey } {
  return piece.key !== undefined;
}

const filterStart = new RegExp(`^(${filterKeys.join("|")}):`);

function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text[at]!)) {
      at += 1;
      continue;
    }
    const began = at;
    // `--trust` is how flags are written: a word.
    const not = text[at] === "-" && at + 1 < text.length && !/[\s-]/.test(text[at + 1]!);
    if (not) at += 1;
    const key = filterStart.exec(text.slice(at, at + 16))?.[1] as FilterKey | undefined;
    if (key !== undefined) at += key.length + 1;
    const quoted = text[at] === '"';
    const end = quoted ? text.indexOf('"', at + 1) : endOfWord(text, at);
    if (quoted && end < 0) throw malformed(text, at, "the quote is not closed");
    const inner = text.slice(quoted ? at + 1 : at, end);
    at = quoted ? end + 1 : end;
    let prefix = false;
    if (quoted && text[at] === "*") {
      prefix = true;
      at += 1;
    } else if (!quoted && key === undefined && inner.endsWith("*")) prefix = true;
    const plain = prefix && !quoted ? inner.replace(/\*+$/, "") : inner;
    pieces.push({ at: began, text: plain, quoted, not, prefix, ...(key && { key }) });
  }
  return pieces;
}

function endOfWord(text: string, from: number): number {
  const found = /\s/.exec(text.slice(from));
  return found === null ? text.length : from + found.index;
}

function termOf({ text, prefix, quoted }: Piece): Term | undefined {
  const words = wordsOf(text);
  return words.length === 0 ? undefined : { text, words, prefix, quoted };
}

const closed: Readonly<Record<string, readonly string[]>> = {
  is: ["error", "injected"],
  has: ["image"],
  role: Object.keys(roles),
};

function checkedValue(
  query: string,
  { key, text, at }: Piece & { readonly key: FilterKey },
): string {
  const why = problemOf(key, text);
  if (why !== undefined) throw malformed(query, at, `${key}: ${why}`);
  return text;
}

/** Why a filter cannot have a value, as the end of a sentence; undefined if it can. */
export function problemOf(key: FilterKey, value: string): string | undefined {
  // `here:` alone is this folder.
  if (value.trim() === "" && key !== "here") return "needs a value";
  const allowed = closed[key];
  if (allowed !== undefined && !allowed.includes(value)) return `is one of ${allowed.join(", ")}`;
  const isName = key === "tool" || key === "file";
  if (isName && wordsOf(value).length === 0) return "needs a name";
  const isInstant = key === "since" || key === "until";
  if (isInstant && !isTime(value)) return "needs a time such as 2026-11-01, yesterday or 3d";
  return undefined;
}
