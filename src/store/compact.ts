import { failpoint } from "../base/failpoint.ts";
import { compactionFor } from "../context/compaction.ts";
import { summarise as extract } from "../context/summarise.ts";
import type { CompactionEvent, SessionEvent } from "../model/event.ts";
import type { CompactOptions } from "./session-options.ts";

const defaultKeepTokens = 20_000;
const summaryTokens = 4_000;

/** What stands for the earlier turns when only the newest are kept. */
const truncated = "Earlier turns of this session were left out to make room.";

/** The compaction event for a path; undefined where there is nothing to take away. */
export async function compactionOf(
  path: readonly SessionEvent[],
  options: CompactOptions,
): Promise<CompactionEvent | undefined> {
  const { strategy = "summarise", keepTokens = defaultKeepTokens } = options;
  let hidden: readonly SessionEvent[] = [];
  const planned = compactionFor(path, {
    keepTokens,
    strategy,
    summary: (events) => {
      hidden = events;
      return truncated;
    },
  });
  if (planned === undefined) return undefined;
  const summarised =
    strategy === "truncate"
      ? planned
      : { ...planned, summary: await (options.summarise ?? builtInSummary)(hidden) };
  failpoint("compact.before-append");
  return summarised;
}

/** A summary picked out of the events, without a model. */
export function builtInSummary(events: readonly SessionEvent[]): string {
  return extract(events, { budgetTokens: summaryTokens });
}
