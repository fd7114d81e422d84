import type { EventId, SessionEvent } from "../model/event.ts";
import type { Usage } from "../model/usage.ts";
import { fitBudget } from "./budget.ts";
import { collect } from "./collect.ts";
import { draftOf } from "./draft.ts";
import { type Estimate, estimateTokens } from "./estimate.ts";
import type { ContextMessage, LeftOut, Remark } from "./messages.ts";
import { pairTools } from "./pair-tools.ts";
import { Remarks } from "./remarks.ts";
import { type PathState, stateOf } from "./state.ts";
import { lastUsage, messageTokens } from "./tokens.ts";
import { totalUsage } from "./usage.ts";
import { type Window, windowOf } from "./window.ts";

/** How a context is built. */
export interface ContextOptions {
  /** Oldest turns are left out until the rest fits. */
  readonly budgetTokens?: number;
  /** Counts the tokens of a text; the built-in estimate unless given. */
  readonly estimate?: Estimate | undefined;
  /** The event before which the path was not read, because the budget was used up. */
  readonly unreadBefore?: EventId | undefined;
}

/** What a model sees of a session, and what it does not see. */
export interface Context extends PathState {
  readonly messages: readonly ContextMessage[];
  /** Spent by all events of the given path. */
  readonly usage: Usage;
  /** How large the messages are: as recorded where something was, estimated from there on. */
  readonly contextTokens: number;
  readonly leftOut: readonly LeftOut[];
  readonly remarks: readonly Remark[];
  /** The compaction whose summary stands for the events before it. */
  readonly compactedAt?: EventId;
}

/** A summary as a model is given it: what it is is said before it. */
export function introduced(summary: string): string {
  return `Summary of the conversation before this point:\n\n${summary}`;
}

/** Builds what a model sees from a path, root first. The result depends on the path alone. */
export function buildContext(path: readonly SessionEvent[], options: ContextOptions = {}): Context {
  const remarks = new Remarks();
  const window = windowOf(path, remarks);
  const messages = messagesOf(window, remarks);
  const { estimate = estimateTokens, unreadBefore } = options;
  // What was recorded covers what was not read, too.
  const size = sizeOf(unreadBefore === undefined ? path : [], { messages, estimate });
  if (unreadBefore !== undefined) remarks.add("earlier_unread", unreadBefore);
  const fitted =
    options.budgetTokens === undefined
      ? { messages, dropped: false, tokens: size.totalTokens }
      : fitBudget(messages, {
          budgetTokens: options.budgetTokens,
          tokensOf: size.tokensOf,
          remarks,
        });
  const contextTokens = fitted.dropped ? fitted.tokens : size.totalTokens;
  if (contextTokens > (options.budgetTokens ?? Number.POSITIVE_INFINITY))
    remarks.add("exceeds_budget");
  const first = fitted.messages.find((message) => message.role !== "system");
  if (first !== undefined && first.role !== "user") remarks.add("no_user_first", first.events[0]);
  return {
    messages: fitted.messages,
    ...stateOf(path),
    usage: totalUsage(path),
    contextTokens,
    leftOut: remarks.leftOut(),
    remarks: remarks.remarks(),
    ...(window.compaction === undefined ? {} : { compactedAt: window.compaction.id }),
  };
}

/** The messages of a window: what opens it, the summary, the conversation with its tools paired. */
export function messagesOf(window: Window, remarks: Remarks): readonly ContextMessage[] {
  const opening = collect(window.opening, remarks).messages;
  const { messages, results } = collect(window.events, remarks);
  const conversation = pairTools(messages, { results, remarks });
  const { compaction } = window;
  const summary = compaction?.summary;
  if (compaction === undefined || typeof summary !== "string" || summary.trim() === "") {
    return opening.length === 0 ? conversation : [...opening, ...conversation];
  }
  const message = draftOf("user", {
    content: [{ type: "text", text: introduced(summary) }],
    event: compaction.id,
    summary: true,
  });
  return [...opening, message, ...conversation];
}

interface Size {
  readonly totalTokens: number;
  readonly tokensOf: (message: ContextMessage) => number;
}

/**
 * Sizes by what was recorded: the last message with a usage says how large everything up to it was,
 * which also corrects the estimate of each message. Instructions and tool definitions that are no
 * messages count in the record, so the correction is bounded.
 */
function sizeOf(
  path: readonly SessionEvent[],
  options: { readonly messages: readonly ContextMessage[]; readonly estimate: Estimate },
): Size {
  const { messages, estimate } = options;
  const recorded = lastUsage(path);
  const measuredAt =
    recorded === undefined
      ? -1
      : messages.findLastIndex((message) => message.events.includes(recorded.event.id));
  const estimateOf = (message: ContextMessage) => messageTokens(message, estimate);
  if (recorded === undefined || measuredAt < 0) {
    return { totalTokens: sumOf(messages, estimateOf), tokensOf: estimateOf };
  }
  // Estimating everything that was measured takes a while, and is asked for only where something was not.
  let known: number | undefined;
  const factor = (): number => {
    const estimated = Math.max(1, sumOf(messages.slice(0, measuredAt + 1), estimateOf));
    return Math.min(4, Math.max(0.5, recorded.tokens / estimated));
  };
  const tokensOf = (message: ContextMessage) => {
    known ??= factor();
    return Math.ceil(estimateOf(message) * known);
  };
  const after = messages.slice(measuredAt + 1);
  return { totalTokens: recorded.tokens + sumOf(after, tokensOf), tokensOf };
}

function sumOf(
  messages: readonly ContextMessage[],
  tokensOf: (message: ContextMessage) => number,
): number {
  let total = 0;
  for (const message of messages) total += tokensOf(message);
  return total;
}
