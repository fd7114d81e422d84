import type { AgentHooks } from "../agents/hooks-contract.ts";
import type { AgentMemories } from "../agents/memories-contract.ts";
import { loadMemories, loadNotes } from "../agents/registry.ts";
import { isoNow, uptimeMs } from "../base/clock.ts";
import { limits } from "../base/limits.ts";
import type { BridgeEvent } from "../model/bridge-event.ts";
import { keyed } from "../model/hook-payload.ts";
import { injectedText } from "../model/injected.ts";
import { type WantedCheckpoint, wantedCheckpoint } from "./checkpoint/wanted.ts";
import { type Chosen, chosen, type InjectionContext } from "./inject/injection.ts";
import type { contributeMemories } from "./inject/memories.ts";
import { areMemoriesDue, hasMemories } from "./inject/memories-due.ts";
import { nudge } from "./inject/nudge.ts";
import { policyOf } from "./inject/policy.ts";
import { occasionOf } from "./ledger/contribute.ts";
import { isForLedger } from "./ledger/keep.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { bracketOf, percentLeft } from "./state/brackets.ts";
import { estimatedContext, measuredContext } from "./state/context-size.ts";
import { beginsContext, Fold } from "./state/fold.ts";
import { type BridgeLine, injectionsIn, lineOf } from "./state/line.ts";
import { appendLine, readRest } from "./state/log.ts";
import { type BridgePlaces, placesOf } from "./state/places.ts";
import { isOfSealed } from "./state/sealed.ts";
import { type BridgeSettings, readSettings } from "./state/settings.ts";
import { type Folded, loadState, saveSnapshot } from "./state/snapshot.ts";
import type { Bracket, ContextSize, State } from "./state/state.ts";
import { withUnannounced } from "./state/unannounced.ts";

/** What an event led to. */
export interface Processed {
  /** What the hook prints; empty where the model is given nothing. */
  readonly output: string;
  readonly bracket: Bracket;
  /** How much of the window is used. */
  readonly contextPercent: number;
  readonly promptCount: number;
  /** The checkpoint of files that is to be taken before the agent goes on. */
  readonly checkpoint?: WantedCheckpoint;
  readonly metrics: {
    readonly ownMs: number;
    readonly contextTokens: number;
    readonly windowTokens: number;
    readonly contextFrom: ContextSize["from"];
    readonly injectedTokens: number;
  };
}

/** Where the bridge keeps its state, and when it was called. */
export interface ProcessOptions {
  /** The bridge's folder. */
  readonly root: string;
  /** How the agent's hooks speak; without them no model is given anything, and how full it is stays an estimate. */
  readonly hooks: AgentHooks | undefined;
  /** Milliseconds since the process started, at the start of our own work. */
  readonly beganMs?: number;
  /** Whether milliseconds count from the start of a process of our own. */
  readonly ownProcess?: boolean;
}

/**
 * Takes one event of an agent: one line in the session's log, the state after it, and what the model is
 * given. Order: the line is written before anything is printed, so that nothing is ever given twice.
 */
export async function processEvent(told: BridgeEvent, options: ProcessOptions): Promise<Processed> {
  const beganMs = options.beganMs ?? uptimeMs();
  return (
    taken(told, { ...options, beganMs }) ??
    taken(told, { ...options, beganMs, loaded: await loadedFor(told, options) })
  );
}

/** What is loaded for the few events that have to do with it. */
interface Loaded {
  readonly ledger: Ledger;
  readonly contributeMemories: typeof contributeMemories | undefined;
  /** Where the agent's own pages of memories lie. */
  readonly pages: AgentMemories | undefined;
}

/** The ledger, and at the start of a session how other programs' notes are found; what memories have to say. */
async function loadedFor(
  { kind, agent }: BridgeEvent,
  { root }: Pick<ProcessOptions, "root">,
): Promise<Loaded> {
  const [{ ledgerWith }, memories, pages, notes] = await Promise.all([
    import("./ledger/ledger.ts"),
    hasMemories(root) ? import("./inject/memories.ts") : undefined,
    hasMemories(root) ? loadMemories(agent) : undefined,
    kind === "session_start" ? loadNotes() : [],
  ]);
  return { ledger: ledgerWith(notes), contributeMemories: memories?.contributeMemories, pages };
}

interface Taking extends ProcessOptions {
  readonly beganMs: number;
}

/**
 * Takes the event at one go, so that no other of this process comes between its state and its line. Undefined, and
 * nothing done, where the ledger or memories have to do with it and were not loaded.
 */
function taken(told: BridgeEvent, options: Taking & { readonly loaded: Loaded }): Processed;
function taken(told: BridgeEvent, options: Taking): Processed | undefined;
function taken(
  told: BridgeEvent,
  options: Taking & { readonly loaded?: Loaded },
): Processed | undefined {
  const { root, hooks, beganMs, loaded } = options;
  const ledger = loaded?.ledger;
  // Of a sealed session nothing is written, and so nothing is given to the model: it could be given twice.
  const sealed = isOfSealed(told, options);
  const places = placesOf(root, told.agent, told.session);
  const settings = readSettings(places.settings);
  const leftMs = (): number => settings.workMs - (uptimeMs() - beganMs);
  const before = loadState(places, told);
  const event = withUnannounced(told, { before: before.state, hooks });
  const size = contextAfter(event, { before: before.state, settings, hooks });
  const line = measuredLine(event, { size, settings, before: before.state });
  const state = stateWith(before, line);
  const policy = policyOf(state.bracket, settings.budgets);
  const context: InjectionContext = { event, state, policy, places, hooks, leftMs };
  const wanted = hooks?.injects.includes(event.kind) === true && event.again !== true && !sealed;
  const gives = wanted && leftMs() > 0;
  const occasion = gives ? occasionOf(context) : undefined;
  const keeps = !sealed && leftMs() > 0 && isForLedger(context);
  const remembers = gives && settings.memories && areMemoriesDue(context);
  if (loaded === undefined && (occasion !== undefined || keeps || remembers)) return undefined;
  const said = occasion === undefined ? [] : (ledger?.contribute(context, occasion) ?? []);
  const known = remembers
    ? (loaded?.contributeMemories?.(context, {
        said,
        mostTokens: settings.memoryTokens,
        pages: loaded.pages,
      }) ?? [])
    : [];
  const offered = gives ? [...nudge(context), ...said, ...known] : [];
  const claimed = chosen(offered, context, settings.injectedTokens);
  const ownMs = uptimeMs() - beganMs;
  const whole: BridgeLine = {
    ...line,
    ...(claimed.length > 0 && {
      injected: claimed.map(({ hash, kind, tokens }) => ({ hash, kind, tokens })),
      pid: process.pid,
    }),
    ...(options.ownProcess === true && { ms: tenth(uptimeMs()) }),
    ownMs: tenth(ownMs),
  };
  if (!sealed) appendLine(places, whole, before.rest.clean);
  const given =
    claimed.length === 0 ? [] : unclaimedBefore(claimed, { places, event, before, whole });
  if (!sealed) {
    if (keeps) ledger?.keep(context);
    if (before.end - startOf(before) >= limits.bridgeSnapshotBytes && leftMs() > 0)
      saveSnapshot(places, before);
  }
  return {
    output: printed(given, { hooks, event }),
    bracket: state.bracket,
    contextPercent: tenth(100 - percentLeft(state.context)),
    promptCount: state.promptCount,
    ...keyed("checkpoint", sealed ? undefined : wantedCheckpoint(event, settings)),
    metrics: {
      ownMs: tenth(uptimeMs() - beganMs),
      contextTokens: state.context.tokens,
      windowTokens: state.context.windowTokens,
      contextFrom: state.context.from,
      injectedTokens: given.reduce((sum, { tokens }) => sum + tokens, 0),
    },
  };
}

function stateWith(before: Folded, line: BridgeLine): State {
  const fold = new Fold(before.state, before.countedAt);
  fold.add(line, before.end);
  return fold.state();
}

/** Where the lines begin that were folded on top of the snapshot. */
function startOf({ rest, end }: Folded): number {
  return rest.lines[0]?.offset ?? end;
}

function contextAfter(
  event: BridgeEvent,
  known: {
    readonly before: State;
    readonly settings: BridgeSettings;
    readonly hooks: AgentHooks | undefined;
  },
): ContextSize {
  const { before, settings, hooks } = known;
  const model = event.model ?? before.context.model;
  const more = {
    ...(settings.windowTokens !== undefined && { setting: settings.windowTokens }),
    ...(model !== undefined && { model }),
  };
  const found = event.compaction !== undefined;
  // A transcript that was just compacted still ends with the counts of before, unless the compaction is in it.
  if (beginsContext(event) && !found) return estimatedContext(0, more);
  if (event.usage !== undefined) return measuredContext(event.usage, { from: "payload", ...more });
  const transcript = event.transcript ?? before.transcript;
  const usage = transcript === undefined ? undefined : hooks?.usageFromTail(transcript);
  if (usage !== undefined) return measuredContext(usage, { from: "transcript", ...more });
  // Numbers once read stay true until a newer one is; an estimate never replaces them.
  if (before.context.from !== "estimate" && !found) return before.context;
  const prompts = found ? 0 : Math.max(0, before.promptCount - (before.promptsBefore ?? 0));
  return estimatedContext(prompts + (event.kind === "prompt" ? 1 : 0), more);
}

function measuredLine(
  event: BridgeEvent,
  known: { readonly size: ContextSize; readonly settings: BridgeSettings; readonly before: State },
): BridgeLine {
  const { size, settings, before } = known;
  // A new context owes nothing to how full the old one was.
  const held = beginsContext(event) || before.startedAt === "" ? {} : { before: before.bracket };
  const bracket = bracketOf(percentLeft(size), { ...held, thresholds: settings.thresholds });
  const { cwd, transcript, ...rest } = lineOf(event, { at: isoNow(), bracket, context: size });
  // Places are long and change rarely.
  return {
    ...rest,
    ...(cwd !== before.cwd && keyed("cwd", cwd)),
    ...(transcript !== before.transcript && keyed("transcript", transcript)),
  };
}

/** Of what was claimed, what no other process claimed in a line before ours. */
function unclaimedBefore(
  claimed: readonly Chosen[],
  at: {
    readonly places: BridgePlaces;
    readonly event: BridgeEvent;
    readonly before: Folded;
    readonly whole: BridgeLine;
  },
): readonly Chosen[] {
  const { places, event, before, whole } = at;
  const own = JSON.stringify(whole);
  const taken = new Set<string>();
  for (const { line } of readRest(places.log, { session: event.session, from: before.end }).lines) {
    if (JSON.stringify(line) === own) break;
    for (const { hash } of injectionsIn(line.injected)) taken.add(hash);
  }
  return claimed.filter(({ hash }) => !taken.has(hash));
}

function printed(
  given: readonly Chosen[],
  { hooks, event }: { readonly hooks: AgentHooks | undefined; readonly event: BridgeEvent },
): string {
  if (given.length === 0 || hooks === undefined) return "";
  return hooks.toOutput(injectedText(given.map(({ text }) => text.trim()).join("\n\n")), event);
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
