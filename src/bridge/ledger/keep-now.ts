import { dirname } from "node:path";
import type { AgentNotes } from "../../agents/notes-contract.ts";
import { pause } from "../../base/pause.ts";
import type { BridgeEvent } from "../../model/bridge-event.ts";
import { bySection, foreignNotes } from "../foreign/read.ts";
import type { InjectionContext } from "../inject/injection.ts";
import type { State } from "../state/state.ts";
import { type Facts, factsOfAnswer, factsOfPrompt } from "./facts.ts";
import { type LedgerPlaces, ledgerPlaces, projectPlaces } from "./places.ts";
import { saidFirst } from "./tail.ts";
import { updateLedger } from "./update.ts";
import { readView } from "./view.ts";
import { workFacts } from "./work.ts";
import { writeHandoff } from "./write-handoff.ts";

/** Takes an event into the ledger that has something for it. */
export function keepNow(context: InjectionContext, notes: readonly AgentNotes[]): void {
  const { event, state, places, leftMs } = context;
  const cwd = event.cwd ?? state.cwd;
  const told = factsOf(event, state);
  if (cwd === undefined || told === undefined || leftMs() <= 0) return;
  const project = projectPlaces(dirname(places.root), cwd);
  const { agent, session } = event;
  const nowMs = Date.now();
  const isStart = event.kind === "session_start";
  const about = { project: project.path, session, nowMs };
  const foreign = isStart ? bySection(foreignNotes(notes, about)) : undefined;
  // Nothing was said yet: a ledger is begun only where another program left something to begin with.
  if (foreign !== undefined && Object.keys(foreign).length === 0) return;
  const ledger = ledgerPlaces(project, event);
  const facts = { ...missedGoal(ledger, context), ...told };
  const more = foreign !== undefined && { foreign };
  const update = { owner: { agent, session }, facts, nowMs, ...more };
  // What a prompt says is said once: others are waited for, a little.
  while (updateLedger(ledger, update) === "busy" && leftMs() > waitMs) pause(waitMs);
  if (event.kind === "pre_compact" && isCompaction(event, state) && leftMs() > 0)
    writeHandoff(ledger, context);
}

/** The first prompt, where its hook did not run or had no time. */
function missedGoal(ledger: LedgerPlaces, { event, state, hooks }: InjectionContext): Facts {
  const transcript = event.transcript ?? state.transcript;
  if (event.kind === "prompt" || event.kind === "session_start" || transcript === undefined)
    return {};
  if (readView(ledger)?.some(({ place }) => place === "goal") === true) return {};
  const first = saidFirst(transcript, hooks);
  const { goal } = first === undefined ? {} : factsOfPrompt(first, { isFirst: true });
  return goal === undefined ? {} : { goal };
}

const waitMs = 5;

function factsOf(event: BridgeEvent, state: State): Facts | undefined {
  switch (event.kind) {
    case "session_start":
      return {};
    case "prompt":
      return factsOfPrompt(event.prompt ?? "", { isFirst: state.promptCount === 1 });
    case "stop":
      return {
        ...(event.answer === undefined ? {} : factsOfAnswer(event.answer)),
        ...workFacts(state),
      };
    case "pre_compact":
    case "session_end":
      return workFacts(state);
    default:
      return undefined;
  }
}

/** One agent asks before every request whether to compact: with room left nothing comes of it. */
function isCompaction({ reason }: BridgeEvent, { bracket }: State): boolean {
  return reason !== "auto" || bracket !== "FRESH";
}
