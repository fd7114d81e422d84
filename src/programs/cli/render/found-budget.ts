import type { Found } from "../../../catalog/query/found.ts";
import { estimateTokens } from "../../../context/estimate.ts";
import type { FoundOptions } from "./found.ts";

/** The answer cut to a number of tokens as it will be printed: events go first, then sessions from the end. */
export function withinTokens(
  found: Found,
  how: {
    readonly tokens: number;
    readonly options: FoundOptions;
    print(found: Found, options: FoundOptions): string;
  },
): Found {
  const fits = (answer: Found): boolean =>
    estimateTokens(how.print(answer, how.options)) <= how.tokens;
  let { sessions } = found;
  for (const events of [Number.POSITIVE_INFINITY, 2, 1]) {
    const cut = found.sessions.map((one) => ({ ...one, events: one.events.slice(0, events) }));
    if (fits({ ...found, sessions: cut })) return { ...found, sessions: cut };
    sessions = cut;
  }
  while (sessions.length > 0 && !fits({ ...found, sessions })) sessions = sessions.slice(0, -1);
  return { ...found, sessions };
}
