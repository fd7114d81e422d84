import type { Agent, SessionRef } from "../../agents/contract.ts";
import { loadHooks } from "../../agents/registry.ts";
import { eventTokens, lastUsage } from "../../context/tokens.ts";
import type { ContextUsage } from "../../model/bridge-event.ts";
import type { SessionEvent } from "../../model/event.ts";
import { bracketOf, percentLeft } from "./brackets.ts";
import { contextOf, measuredContext } from "./context-size.ts";
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

/** Looks at a session: the transcript's newest numbers, else what hooks were reported, else an estimate by its text. */
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
  const hooks = await loadHooks(agent.name);
  const { model: counting, ...usage } =
    hooks?.usageFromTail(ref.path) ?? (await lastCounts(agent, ref)) ?? nothing;
  const model = [counting, known?.context.model, of.model].find(
    (name) => name !== undefined && runs(agent, name),
  );
  const more = {
    ...(settings.windowTokens !== undefined && { setting: settings.windowTokens }),
    ...(agent.models !== undefined && { usual: agent.models.windowTokens }),
    ...(model !== undefined && { model }),
  };
  const context =
    usage.contextTokens > 0
      ? measuredContext(usage, { from: "transcript", ...more })
      : (known?.context ?? contextOf(await tokensByText(agent, ref), more));
  const leftPercent = percentLeft(context);
  const before = known === undefined ? {} : { before: known.bracket };
  const bracket = bracketOf(leftPercent, { ...before, thresholds: settings.thresholds });
  return { bracket, leftPercent, context, ...(known !== undefined && { state: known }) };
}

const nothing: ContextUsage = { contextTokens: 0 };

/** Whether an agent runs this model: a copy names the one that its original was made with. */
function runs({ models }: Agent, model: string): boolean {
  return models === undefined || models.names.test(model);
}

/** What a session says to a model, where nobody counted it. */
async function tokensByText(agent: Agent, ref: SessionRef): Promise<number> {
  let tokens = 0;
  for await (const batch of agent.read(ref)) {
    for (const { body, live, sidechain } of batch.events) {
      if (live && sidechain === undefined) tokens += eventTokens(body);
    }
  }
  return tokens;
}

async function lastCounts(agent: Agent, ref: SessionRef): Promise<ContextUsage | undefined> {
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
