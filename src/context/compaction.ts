import type { CompactionEvent, EventId, SessionEvent } from "../model/event.ts";
import { messagesOf } from "./build.ts";
import { type Estimate, estimateTokens } from "./estimate.ts";
import type { ContextMessage } from "./messages.ts";
import { Remarks } from "./remarks.ts";
import { messageTokens } from "./tokens.ts";
import { turnsOf } from "./turns.ts";
import { windowOf } from "./window.ts";

/** What a compaction keeps and what stands for the rest. */
export interface CompactionOptions {
  /** How much of the newest conversation stays besides the summary; 0 keeps the summary alone. */
  readonly keepTokens: number;
  /** The summary, or how to make it from the events that will be hidden. */
  readonly summary: string | ((hidden: readonly SessionEvent[]) => string);
  readonly strategy?: string;
  readonly trigger?: string;
  readonly estimate?: Estimate | undefined;
}

/**
 * Plans a compaction: the event to append, or undefined where everything fits and nothing would be
 * hidden. It cuts before a turn, inside a turn only where the newest one is too large, and never
 * between a call and its result. A prompt that waits for its answer always stays, and so does a call that waits for
 * its result.
 */
export function compactionFor(
  path: readonly SessionEvent[],
  options: CompactionOptions,
): CompactionEvent | undefined {
  const window = windowOf(path, new Remarks());
  const estimate = options.estimate ?? estimateTokens;
  const messages = messagesOf({ opening: [], events: window.events }, new Remarks()).filter(
    (message) => message.role !== "system",
  );
  const sizes = messages.map((message) => messageTokens(message, estimate));
  const cut = cutOf(messages, { sizes, keepTokens: options.keepTokens, events: window.events });
  if (cut === 0) return undefined;
  const keepFrom = messages[cut]?.events[0];
  const end = keepFrom === undefined ? path.length : path.findIndex(({ id }) => id === keepFrom);
  const tokensBefore = sizes.reduce((sum, size) => sum + size, 0);
  const { summary, strategy, trigger } = options;
  return {
    type: "compaction",
    summary: typeof summary === "string" ? summary : summary(path.slice(0, end)),
    ...(keepFrom === undefined ? {} : { keepFrom }),
    tokensBefore,
    ...(strategy === undefined ? {} : { strategy }),
    ...(trigger === undefined ? {} : { trigger }),
  };
}

/** The first message that stays; as many as there are messages if none does. */
function cutOf(
  messages: readonly ContextMessage[],
  options: {
    readonly sizes: readonly number[];
    readonly keepTokens: number;
    readonly events: readonly SessionEvent[];
  },
): number {
  const { sizes, keepTokens, events } = options;
  const whole = unbroken(messages, events);
  const turns = turnsOf(messages);
  const last = turns.at(-1);
  const waits =
    last !== undefined && messages.slice(last.from).every((message) => message.role === "user");
  const starts = new Set(turns.map((turn) => turn.from));
  const prompted = waits && whole[last.from] ? last.from : messages.length;
  const reach = Math.min(prompted, callingFrom(messages, { whole, events }));
  let kept = 0;
  let bestTurn = reach;
  let best = reach;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    kept += sizes[index]!;
    if (index >= reach) continue;
    if (kept > keepTokens) break;
    if (!whole[index]) continue;
    best = index;
    if (starts.has(index)) bestTurn = index;
  }
  return bestTurn < messages.length ? bestTurn : best;
}

/** The message from which on all must stay because a call of the newest turn waits for its result. */
function callingFrom(
  messages: readonly ContextMessage[],
  {
    whole,
    events,
  }: { readonly whole: readonly boolean[]; readonly events: readonly SessionEvent[] },
): number {
  const answered = new Set<string>();
  let first: EventId | undefined;
  for (let at = events.length - 1; at >= 0; at -= 1) {
    const event = events[at]!;
    if (event.type === "user" && event.injected !== true) break;
    if (event.type === "tool_result") answered.add(event.call);
    else if (event.type === "tool_use" && !answered.has(event.call)) first = event.id;
  }
  if (first === undefined) return messages.length;
  let from = messages.findIndex((message) => message.events.includes(first));
  while (from > 0 && !whole[from]) from -= 1;
  return from < 0 ? messages.length : from;
}

/** For each message, whether the path can be cut before it without parting a message or a call. */
function unbroken(
  messages: readonly ContextMessage[],
  events: readonly SessionEvent[],
): readonly boolean[] {
  const position = new Map<EventId, number>();
  events.forEach((event, index) => {
    if (!position.has(event.id)) position.set(event.id, index);
  });
  const place = (id: EventId) => position.get(id) ?? 0;
  // How far the events of all earlier messages reach: a cut is clean behind that only.
  let reach = -1;
  let lowest = Number.POSITIVE_INFINITY;
  const firstOfRest = new Array<number>(messages.length);
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    for (const id of messages[index]!.events) lowest = Math.min(lowest, place(id));
    firstOfRest[index] = lowest;
  }
  return messages.map((message, index) => {
    const begins = message.events.length === 0 ? -1 : place(message.events[0]!);
    const clean = message.role !== "tool" && begins > reach && firstOfRest[index] === begins;
    for (const id of message.events) reach = Math.max(reach, place(id));
    return clean;
  });
}
