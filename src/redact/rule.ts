import type { Span } from "./span.ts";

/** Where a keyword may stand, and from where its rule looks on. */
export interface Place {
  readonly at: number;
  readonly from: number;
}

/** What a rule found, and from where it wants to look on. */
export interface Answer {
  readonly secrets: readonly Span[];
  readonly next: number;
}

/** One kind of secret: tried only where one of its keywords stands. */
export interface Rule {
  readonly name: string;
  /** Lower case, three characters or more: whatever the rule finds has one of these in it. */
  readonly keywords: readonly string[];
  at(text: string, place: Place): Answer;
}

/** A rule that is a shape alone. The secret is the group that took part, else all; it reaches to the end of the match. */
interface Shaped {
  readonly name: string;
  readonly keywords: readonly string[];
  /** How many characters the shape may begin before the keyword; none if absent. */
  readonly reach?: number;
  /** Made when its keyword is first met: most programs meet few, and a hook has no time for all. */
  readonly shape: () => RegExp;
  /** Where the shape alone also fits harmless text: looks at the secret and says whether it is one. */
  readonly accept?: (secret: string) => boolean;
}

/** Makes a rule of a shape. */
export function shaped({ name, keywords, reach = 0, shape, accept }: Shaped): Rule {
  let sticky: RegExp | undefined;
  return {
    name,
    keywords,
    at: (text, { at, from }) => {
      sticky ??= stickyOf(shape());
      for (let start = Math.max(from, at - reach); start <= at; start += 1) {
        sticky.lastIndex = start;
        const match = sticky.exec(text);
        if (match === null) continue;
        const secret = lastGroup(match);
        const end = start + match[0].length;
        const isOne = secret.length > 0 && (accept?.(secret) ?? true);
        return {
          secrets: isOne ? [{ start: end - secret.length, end, rule: name }] : [],
          next: Math.max(end, at + 1),
        };
      }
      return { secrets: [], next: from };
    },
  };
}

function stickyOf(shape: RegExp): RegExp {
  return new RegExp(shape.ignoreCase ? inAnyCase(shape.source) : shape.source, "y");
}

/**
 * The same shape with both cases of each letter outside of classes. Node takes milliseconds to compile a negated class
 * that ignores case, and a hook waits for that: with this, the first text takes a tenth of the time.
 */
function inAnyCase(source: string): string {
  return source.replace(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[A-Za-z]/g, (piece) =>
    piece.length === 1 ? `[${piece.toLowerCase()}${piece.toUpperCase()}]` : piece,
  );
}

/** The group of a match that took part, else all of it. */
export function lastGroup(match: RegExpExecArray): string {
  for (let group = match.length - 1; group > 0; group -= 1)
    if (match[group] !== undefined) return match[group]!;
  return match[0];
}

/** A word of a shell at the end of a shape: quoted or bare, its text a group. */
export const shellWord = `(?:\\\\?'([^'\\n\\\\]{1,300})|\\\\?"([^"\\n\\\\]{1,300})|((?:[^\\s'"|;&<>\\\\]|\\\\[^"'nrt\\n])(?:[^\\s'"|;<>\\\\]|\\\\[^"'nrt\\n]){0,300}))`;
