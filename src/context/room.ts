import type { EventBody, SessionEvent } from "../model/event.ts";
import { introduced, messagesOf } from "./build.ts";
import { compactionFor } from "./compaction.ts";
import { cutToTokens, type Estimate, estimateTokens } from "./estimate.ts";
import { Remarks } from "./remarks.ts";
import { eventTokens, lastUsage, messageTokens } from "./tokens.ts";
import { windowOf } from "./window.ts";

/** The window of a model, and what of it is not for the conversation. */
export interface WindowOptions {
  readonly windowTokens: number;
  /** Room for the answer; a fifth of the window and at most 16,384 unless given. */
  readonly reserveTokens?: number | undefined;
  /** What every request holds besides the session: instructions, definitions of tools. */
  readonly overheadTokens?: number | undefined;
  /** Tokens of the newest turns that a compaction keeps; a quarter of the room unless given. */
  readonly keepTokens?: number | undefined;
  /** The longest summary; a twentieth of the room and at most 16,384 unless given. */
  readonly summaryTokens?: number | undefined;
  /** Counts the tokens of a text; the built-in estimate unless given. */
  readonly estimate?: Estimate | undefined;
}

/** What has to be done before something is appended, so that the next request fits into the window. */
export type RoomPlan =
  | { readonly do: "append" }
  | { readonly do: "compact"; readonly keepTokens: number; readonly summaryTokens: number }
  | {
      readonly do: "refuse";
      /** How large what is to be appended is, and how much there is room for. */
      readonly tokens: number;
      readonly roomTokens: number;
    };

/** Events that a model is given in its next request; what models themselves say is the answer to one. */
const givenTypes: ReadonlySet<string> = new Set<EventBody["type"]>([
  "user",
  "tool_result",
  "system",
  "hook",
]);

/** Whether a request may follow upon events, so that there must be room for them. */
export function needsRoom(bodies: readonly EventBody[]): boolean {
  return bodies.some(({ type }) => givenTypes.has(type));
}

/** How much of a window the conversation may take. */
export function roomOf(window: WindowOptions): number {
  const { windowTokens, overheadTokens = 0 } = window;
  const reserveTokens = window.reserveTokens ?? Math.min(16_384, Math.floor(windowTokens / 5));
  return Math.max(0, windowTokens - reserveTokens - overheadTokens);
}

/** Tokens of events that are to be appended. */
export function tokensOf(
  bodies: readonly EventBody[],
  estimate: Estimate = estimateTokens,
): number {
  return bodies.reduce((sum, body) => sum + eventTokens(body, estimate), 0);
}

/**
 * Plans the room for events that are to be appended to a path. By the estimate no request is then larger than its
 * window less what is reserved: everything fits, or a compaction makes it fit, or the events are refused.
 */
export function planRoom(
  path: readonly SessionEvent[],
  incoming: readonly EventBody[],
  window: WindowOptions,
): RoomPlan {
  const { estimate = estimateTokens, overheadTokens = 0 } = window;
  const room = roomOf(window);
  const tokens = tokensOf(incoming, estimate);
  // What a provider counted holds the overhead too.
  const recorded = lastUsage(path)?.tokens ?? 0;
  const size = sizeOf(path, estimate);
  if (Math.max(size, recorded - overheadTokens) + tokens <= room) return { do: "append" };
  const defaults = {
    keep: window.keepTokens ?? Math.floor(room / 4),
    summary: Math.min(window.summaryTokens ?? Math.min(16_384, Math.floor(room / 20)), room),
  };
  let least: number | undefined;
  for (const share of shares) {
    const keepTokens = Math.floor(defaults.keep * share);
    const kept = compacted(path, { keepTokens, estimate });
    if (kept === undefined) continue;
    least = kept;
    const free = room - tokens - kept;
    if (free >= (share === 0 ? 0 : defaults.summary))
      return { do: "compact", keepTokens, summaryTokens: Math.min(defaults.summary, free) };
  }
  // Nothing can be taken away; what a provider counted is more than is known of.
  if (size + tokens <= room) return { do: "append" };
  return { do: "refuse", tokens, roomTokens: Math.max(0, room - (least ?? size)) };
}

/** A large prompt takes its room from the turns that are kept. */
const shares = [1, 0.5, 0.25, 0.125, 0.06, 0.03, 0];

/** How large a path is as a model is given it. */
export function sizeOf(path: readonly SessionEvent[], estimate: Estimate = estimateTokens): number {
  const messages = messagesOf(windowOf(path, new Remarks()), new Remarks());
  return messages.reduce((sum, message) => sum + messageTokens(message, estimate), 0);
}

/** How large a path would be after a compaction, but for the summary; undefined if there is nothing to take away. */
function compacted(
  path: readonly SessionEvent[],
  { keepTokens, estimate }: { readonly keepTokens: number; readonly estimate: Estimate },
): number | undefined {
  const compaction = compactionFor(path, { keepTokens, summary: "", estimate });
  if (compaction === undefined) return undefined;
  const last = path.at(-1)!;
  return sizeOf(
    [...path, { id: last.id + 1, parent: last.id, at: last.at, ...compaction }],
    estimate,
  );
}

/** As much of a summary as a compaction has room for, counted as a model is given it. */
export function fittedSummary(
  summary: string,
  { summaryTokens, estimate = estimateTokens }: Pick<WindowOptions, "summaryTokens" | "estimate">,
): string {
  if (summaryTokens === undefined) return summary;
  return cutToTokens(summary, summaryTokens, (text) => estimate(introduced(text)));
}
