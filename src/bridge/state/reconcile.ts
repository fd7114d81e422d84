import type { Agent, SessionRef } from "../../agents/contract.ts";
import { loadHooks } from "../../agents/registry.ts";
import { isoNow } from "../../base/clock.ts";
import type { Environment } from "../../base/env.ts";
import { limits } from "../../base/limits.ts";
import { recordOf } from "../../model/event-number.ts";
import { isPrompt } from "../../model/prompt.ts";
import { bracketOf, percentLeft } from "./brackets.ts";
import { measuredContext } from "./context-size.ts";
import type { BridgeLine } from "./line.ts";
import type { BridgeSettings } from "./settings.ts";
import type { State } from "./state.ts";

/** The transcript of a session, found as its agent finds it; undefined if it is gone or never was. */
export function transcriptOf(state: State, agent: Agent, env: Environment): SessionRef | undefined {
  const projects = state.cwd === undefined ? [] : [state.cwd];
  for (const ref of agent.locate(env, { projects })) {
    if (ref.path === state.transcript || ref.session === state.session) return ref;
  }
  return undefined;
}

/** Says one state of a transcript from the next; rows of a database have a time and no size. */
export function markOf({ sizeBytes, modifiedMs }: SessionRef): number {
  return sizeBytes > 0 ? sizeBytes : modifiedMs;
}

/**
 * What the transcript says of a session whose hooks may have been missed: an agent that is killed fires
 * none. The line it returns replaces what was counted; the transcript wins.
 */
export async function reconciled(
  state: State,
  of: {
    readonly agent: Agent;
    readonly ref: SessionRef;
    readonly logBytes: number;
    readonly settings: BridgeSettings;
  },
): Promise<BridgeLine> {
  const { agent, ref, logBytes, settings } = of;
  const counts = await countsIn(agent, ref);
  const usage = (await loadHooks(state.agent))?.usageFromTail(ref.path);
  const context =
    usage === undefined
      ? state.context
      : measuredContext(usage, {
          from: "transcript",
          ...(settings.windowTokens !== undefined && { setting: settings.windowTokens }),
          ...(state.context.model !== undefined && { model: state.context.model }),
        });
  const before = { before: state.bracket, thresholds: settings.thresholds };
  return {
    at: isoNow(),
    kind: "reconciled",
    session: state.session,
    bracket: bracketOf(percentLeft(context), before),
    context,
    reconciled: { logBytes, mark: markOf(ref), ...counts },
  };
}

/** Prompts a person gave and calls that were answered, on every branch; subagents keep their own. */
async function countsIn(
  agent: Agent,
  ref: SessionRef,
): Promise<{ readonly prompts: number; readonly tools: Readonly<Record<string, number>> }> {
  const open = new Map<string, string>();
  const tools = new Map<string, number>();
  let prompts = 0;
  let compaction: string | undefined;
  for await (const { events } of agent.read(ref, { allBranches: true })) {
    for (const { body, number, sidechain } of events) {
      if (sidechain !== undefined) continue;
      // What stands in the record of a compaction was there before, and is only kept by it.
      if (body.type === "compaction") compaction = recordOf(number);
      if (recordOf(number) === compaction) continue;
      if (isPrompt(body)) prompts += 1;
      else if (body.type === "tool_use" && open.size < limits.openToolCalls)
        open.set(body.call, body.name);
      else if (body.type === "tool_result") {
        const name = open.get(body.call) ?? body.name;
        // Some transcripts keep one answer twice.
        if (name === undefined || !open.delete(body.call)) continue;
        tools.set(name, (tools.get(name) ?? 0) + 1);
      }
    }
  }
  return { prompts, tools: Object.fromEntries(tools) };
}
