import type { Agent, SessionRef } from "../../agents/contract.ts";
import { loadHooks } from "../../agents/registry.ts";
import { lastUsage } from "../../context/tokens.ts";
import type { SessionEvent } from "../../model/event.ts";
import { bracketOf, percentLeft } from "./brackets.ts";
import { estimatedContext, measuredContext } from "./context-size.ts";
import { placesOf } from "./places.ts";
import { readSettings } from "./settings.ts";
import { loadState } from "./snapshot.ts";
import type { Bracket, ContextSize, State } from "./state.ts";

/** How full a session is at this moment. */
export interface ContextLook {
  readonly bracket: Bracket;
  readonly leftPercent: number;
  readonly context: ContextSize;
  /** What hooks keep of the session; undefined if none ever ran in it. */
  readonly state?: State;
}

/** Events at the end of a session that are searched for the newest counts. */
const searchedEvents = 200;

/** Looks at a session: the transcript's newest numbers, else what hooks were reported, else an estimate. */
export async function lookAt(
  root: string,
  of: {
    readonly agent: Agent;
    readonly ref: SessionRef;
    readonly session: string;
    readonly model?: string;
  },
): Promise<ContextLook> {
  const { agent, ref, session } = of;
  const places = placesOf(root, agent.name, session);
  const settings = readSettings(places.settings);
  const { state } = loadState(places, { agent: agent.name, session });
  const known = state.updatedAt === "" ? undefined : state;
  const model = known?.context.model ?? of.model;
  const more = {
    ...(settings.windowTokens !== undefined && { setting: settings.windowTokens }),
    ...(model !== undefined && { model }),
  };
  const hooks = await loadHooks(agent.name);
  const usage = hooks?.usageFromTail(ref.path) ?? (await lastCounts(agent, ref));
  const context =
    usage !== undefined
      ? measuredContext(usage, { from: "transcript", ...more })
      : (known?.context ?? estimatedContext(0, more));
  const leftPercent = percentLeft(context);
  const before = known === undefined ? {} : { before: known.bracket };
  const bracket = bracketOf(leftPercent, { ...before, thresholds: settings.thresholds });
  return { bracket, leftPercent, context, ...(known !== undefined && { state: known }) };
}

async function lastCounts(
  agent: Agent,
  ref: SessionRef,
): Promise<{ readonly contextTokens: number } | undefined> {
  const events: SessionEvent[] = [];
  for await (const batch of agent.read(ref, { last: searchedEvents })) {
    for (const { body, live, sidechain } of batch.events) {
      if (live && sidechain === undefined)
        events.push({ ...body, id: events.length + 1, at: "" } as SessionEvent);
    }
  }
  const last = lastUsage(events);
  return last === undefined ? undefined : { contextTokens: last.tokens };
}
