import { limits } from "../base/limits.ts";
import { estimateTokens } from "../context/estimate.ts";
import type { WindowOptions } from "../context/room.ts";
import { summarise as extract } from "../context/summarise.ts";
import type { AutoCompact, Summarise } from "../store/session-options.ts";
import { untilAborted } from "./interrupt.ts";
import type { Model } from "./model.ts";
import { summariseWith } from "./summary.ts";
import { type AgentTool, definitionOf } from "./tool.ts";

/** How an agent makes room before the window of its model is full. */
export interface LoopCompaction extends Partial<WindowOptions> {
  /** `truncate` keeps the newest turns, `summarise` (if none is given) adds a summary, `rotate` continues in a new session. */
  readonly strategy?: AutoCompact["strategy"];
  /** The model that writes summaries: the agent's own, a cheaper one, or none for the built-in summary. */
  readonly summaryModel?: Model | undefined;
}

/**
 * The compaction for what comes next; undefined if no window is known. Within a turn it is always a summary: a result must
 * stay beside its call, and what the model was asked to do must not be left out.
 */
export function roomFor(about: {
  readonly compaction: LoopCompaction | undefined;
  readonly model: Model;
  readonly tools: readonly AgentTool[];
  readonly systemPrompt: string | undefined;
  readonly before: "prompt" | "turn";
  readonly signal: AbortSignal;
}): AutoCompact | undefined {
  const { compaction = {}, model, tools, systemPrompt = "", before, signal } = about;
  const { strategy = "summarise", summaryModel, ...window } = compaction;
  const windowTokens = window.windowTokens ?? model.windowTokens;
  if (windowTokens === undefined) return undefined;
  const definitions = JSON.stringify(tools.map(definitionOf));
  return {
    overheadTokens: estimateTokens(systemPrompt) + estimateTokens(definitions),
    ...window,
    windowTokens,
    strategy: before === "turn" ? "summarise" : strategy,
    ...(summaryModel !== undefined && {
      summarise: stoppable(summariseWith(summaryModel), signal),
    }),
  };
}

/** The same summary, in bounded time: the built-in one stands in once the turn is stopped or it takes too long. */
function stoppable(summarise: Summarise, turn: AbortSignal): Summarise {
  return async (events, request) => {
    const given = request.signal === undefined ? [] : [request.signal];
    const signal = AbortSignal.any([turn, AbortSignal.timeout(limits.modelSummaryMs), ...given]);
    try {
      return await untilAborted(Promise.resolve(summarise(events, { ...request, signal })), signal);
    } catch (error) {
      if (request.signal?.aborted === true) throw error;
      return extract(events, { budgetTokens: request.budgetTokens });
    }
  };
}
