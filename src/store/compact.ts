import { RepriseError } from "../base/errors.ts";
import { failpoint } from "../base/failpoint.ts";
import { compactionFor } from "../context/compaction.ts";
import { fittedSummary } from "../context/room.ts";
import { summarise as extract } from "../context/summarise.ts";
import type { CompactionEvent, SessionEvent } from "../model/event.ts";
import type { CompactOptions } from "./session-options.ts";

const defaultKeepTokens = 20_000;
const defaultSummaryTokens = 4_000;

/** What stands for the earlier turns when only the newest are kept. */
const truncated = "Earlier turns of this session were left out to make room.";

/** A compaction that lacks its summary, and what that is to be made of. */
interface Planned {
  readonly compaction: CompactionEvent;
  readonly hidden: readonly SessionEvent[];
}

/** The compaction event for a path; undefined if there is nothing to take away. */
export async function compactionOf(
  path: readonly SessionEvent[],
  options: CompactOptions,
): Promise<CompactionEvent | undefined> {
  const planned = plannedFor(path, options);
  if (planned === undefined) return undefined;
  if (options.strategy === "truncate") return withSummary(planned, truncated, options);
  return withSummary(planned, await summaryOf(planned.hidden, options), options);
}

/** The same at once, with the built-in summary. */
export function compactionNow(
  path: readonly SessionEvent[],
  options: CompactOptions,
): CompactionEvent | undefined {
  const planned = plannedFor(path, options);
  if (planned === undefined) return undefined;
  const isShort = options.strategy === "truncate";
  return withSummary(
    planned,
    isShort ? truncated : builtInSummary(planned.hidden, options),
    options,
  );
}

/** A summary as the options ask for it; rejects with `aborted` as soon as the signal fires. */
export async function summaryOf(
  events: readonly SessionEvent[],
  options: CompactOptions,
): Promise<string> {
  const { summarise, summaryTokens, signal } = options;
  throwIfAborted(signal);
  if (summarise === undefined) return builtInSummary(events, options);
  const summary = await untilAborted(
    Promise.resolve(summarise(events, { budgetTokens: summaryTokens, signal })),
    signal,
  );
  return fittedSummary(summary, options);
}

/** A summary picked out of the events, without a model. */
export function builtInSummary(
  events: readonly SessionEvent[],
  { summaryTokens = defaultSummaryTokens, estimate }: CompactOptions = {},
): string {
  return extract(events, { budgetTokens: summaryTokens, estimate });
}

function plannedFor(path: readonly SessionEvent[], options: CompactOptions): Planned | undefined {
  const { strategy = "summarise", keepTokens = defaultKeepTokens, estimate } = options;
  let hidden: readonly SessionEvent[] = [];
  const compaction = compactionFor(path, {
    keepTokens,
    strategy,
    estimate,
    summary: (events) => {
      hidden = events;
      return "";
    },
  });
  return compaction === undefined ? undefined : { compaction, hidden };
}

function withSummary(
  { compaction }: Planned,
  summary: string,
  options: CompactOptions,
): CompactionEvent {
  failpoint("compact.before-append");
  return { ...compaction, summary: fittedSummary(summary, options) };
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw aborted(signal);
}

/** What is waited for, or the error `aborted` once the signal fires. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(aborted(signal));
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function aborted(signal: AbortSignal): RepriseError {
  return new RepriseError("aborted", "The compaction was given up.", { cause: signal.reason });
}
