import type { FindIn, Place } from "../../catalog/query/snippet.ts";

const why = /\b(?:why|reasons?|rationale|how come)\b/i;
const reason =
  /\b(?:because|since|so that|due to|in order to|reasons?|rationale|root cause|caused by|otherwise|instead of|the point is|this happens|motivation)\b/gi;
const mostPlaces = 512;

/** What a text is quoted by: its words, and if a question asks why, also where the text gives a reason. */
export function findReasons(question: string, find: FindIn): FindIn {
  if (!why.test(question)) return find;
  return (text) => {
    const given = [...text.matchAll(reason)]
      .slice(0, mostPlaces)
      .map(({ index, 0: said }): Place => [index, index + said.length, -1]);
    return [...find(text), ...given].sort((a, b) => a[0] - b[0]);
  };
}
