import { RepriseError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { type Needle, needleIn, needleInPattern } from "../scan/needle.ts";
import type { Mode } from "./evaluate.ts";
import { type Filter, parseQuery, type Query } from "./query.ts";
import { type FindIn, patternFinder, wordFinder } from "./snippet.ts";
import { wordsOf } from "./words.ts";

/** What a user asks for. */
export interface SearchRequest {
  readonly text: string;
  /** Words of the index (the default); words of everything; a text as it is; a regular expression. */
  readonly mode?: "words" | "deep" | "substring" | "regex";
  readonly caseSensitive?: boolean;
  /** Besides those in the text. */
  readonly filters?: readonly Filter[];
}

/** The same, understood. */
export interface Understood {
  readonly query: Query;
  readonly mode: Mode;
  readonly find: FindIn;
  /** What the bytes of a file must have to be worth reading. */
  readonly needle?: Needle;
}

/** Reads a request; what cannot be read is a `usage` error. */
export function understand(request: SearchRequest): Understood {
  const { text, mode: asked = "words", filters = [], caseSensitive = false } = request;
  if (asked === "words" || asked === "deep") {
    const parsed = parseQuery(text);
    const query = { ...parsed, filters: [...parsed.filters, ...filters] };
    if (query.clauses.length === 0 && query.filters.length === 0) throw nothingAsked();
    const mode = { kind: "words", deep: asked === "deep" } as const;
    return { query, mode, find: wordFinder(query) };
  }
  if (text === "") throw nothingAsked();
  const source = asked === "substring" ? escapedPattern(text) : text;
  const pattern = patternFrom(source, caseSensitive ? "" : "i");
  const needle =
    asked === "substring" ? needleIn(text, caseSensitive) : needleInPattern(text, caseSensitive);
  return {
    query: { clauses: [], filters },
    mode: { kind: "pattern", pattern },
    find: patternFinder(pattern),
    ...(needle !== undefined && { needle }),
  };
}

/** Reads a question as words alone: nothing in it is an operator. What has no words is a `usage` error. */
export function understandQuestion(text: string, filters: readonly Filter[] = []): Understood {
  const clauses = text
    .slice(0, limits.queryChars)
    .split(/\s+/)
    .slice(0, limits.queryTerms)
    .flatMap((typed) => {
      const words = wordsOf(typed);
      if (words.length === 0) return [];
      const term = { text: typed, words, prefix: false, quoted: false };
      return [{ anyOf: [term], not: false }];
    });
  if (clauses.length === 0) throw nothingAsked();
  const query = { clauses, filters };
  return { query, mode: { kind: "words", deep: false }, find: wordFinder(query) };
}

function nothingAsked(): RepriseError {
  return new RepriseError("usage", "There is nothing to look for.", {
    hint: "Give words, or filters such as `agent:codex is:error`.",
  });
}

function patternFrom(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new RepriseError("usage", `${why}.`, { hint: "`--substring` takes a text as it is." });
  }
}

function escapedPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
