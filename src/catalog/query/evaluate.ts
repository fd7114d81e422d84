import { asksFact, asksInjected, hasFact, isInjected } from "../index/event-facts.ts";
import { type EventText, wordText } from "../index/event-text.ts";
import { roles } from "../index/kind.ts";
import { isTool } from "../index/tool-name.ts";
import { counterFor } from "./matcher.ts";
import { filesAlone, type Query } from "./query.ts";
import { timesOf } from "./session-filter.ts";

/** How the text of events is looked through. */
export type Mode =
  | { readonly kind: "words"; readonly deep: boolean }
  | { readonly kind: "pattern"; readonly pattern: RegExp };

/**
 * Says whether one event is what was asked for, by the same rules as the index: how often it has each thing that is
 * looked for, undefined if it is not.
 */
export type Evaluate = (
  text: EventText,
  atMs: number | undefined,
  /** Whether it works on a file. */
  isOn: (path: string) => boolean,
) => readonly number[] | undefined;

/** How to tell, for a query and a mode. */
export function evaluator(query: Query, mode: Mode, options: { readonly nowMs: number }): Evaluate {
  const { since, until } = timesOf(query.filters, options.nowMs);
  const facts = query.filters.filter(asksFact);
  const tools = query.filters.filter(({ key }) => key === "tool");
  const spoken = query.filters.filter(({ key }) => key === "role");
  const files = mode.kind === "words" ? filesAlone(query) : [];
  // A text as it is, is looked for in everything.
  const takesInjected = mode.kind === "pattern" || asksInjected(query.filters);
  const count = counterFor(query);
  return (text, atMs, isOn) => {
    if (!takesInjected && isInjected(text)) return undefined;
    const seconds = atMs === undefined ? undefined : Math.floor(atMs / 1000);
    if (since !== undefined && (seconds === undefined || seconds < since)) return undefined;
    if (until !== undefined && (seconds === undefined || seconds > until)) return undefined;
    for (const { value, not } of spoken) {
      if ((roles[value]?.includes(text.kind) === true) === not) return undefined;
    }
    for (const fact of facts) if (hasFact(text, fact) === fact.not) return undefined;
    for (const { value, not } of tools) if (isTool(text, value) === not) return undefined;
    if (!files.every(isOn)) return undefined;
    if (mode.kind === "pattern") return mode.pattern.test(text.text) ? [] : undefined;
    return count(text, mode.deep ? text.text : wordText(text));
  };
}
