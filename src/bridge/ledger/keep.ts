import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { limits } from "../../base/limits.ts";
import type { BridgeEvent } from "../../model/bridge-event.ts";
import { bySection, foreignNotes } from "../foreign/read.ts";
import type { InjectionContext } from "../injection.ts";
import type { State } from "../state.ts";
import { type Facts, factsOfAnswer, factsOfPrompt } from "./facts.ts";
import { handoffText } from "./handoff.ts";
import { type LedgerPlaces, ledgerPlaces, projectPlaces } from "./places.ts";
import { shortPath } from "./short-path.ts";
import { saidLast } from "./tail.ts";
import { updateLedger } from "./update.ts";
import { readView } from "./view.ts";

/** Takes an event into the ledger; called once for each event, after its line was written. */
export function keepLedger({ event, state, places, leftMs }: InjectionContext): void {
  const cwd = event.cwd ?? state.cwd;
  const facts = factsOf(event, state);
  // What a subagent does is no decision of the session.
  if (cwd === undefined || facts === undefined || event.subagent !== undefined) return;
  if (leftMs() <= 0) return;
  const project = projectPlaces(dirname(places.root), cwd);
  const { agent, session } = event;
  const nowMs = Date.now();
  const isStart = event.kind === "session_start";
  const foreign = isStart ? bySection(foreignNotes(project.path, { session, nowMs })) : undefined;
  // Nothing was said yet: a ledger is begun only where another program left something to begin with.
  if (foreign !== undefined && Object.keys(foreign).length === 0) return;
  const ledger = ledgerPlaces(project, event);
  const more = foreign !== undefined && { foreign };
  updateLedger(ledger, { owner: { agent, session }, facts, nowMs, ...more });
  if (event.kind === "pre_compact" && isCompaction(event, state) && leftMs() > 0)
    writeHandoff(ledger, event, state);
}

function factsOf(event: BridgeEvent, state: State): Facts | undefined {
  switch (event.kind) {
    case "session_start":
      return {};
    case "prompt":
      return event.prompt === undefined ? undefined : promptFacts(event.prompt, state);
    case "stop":
      return { ...(event.answer === undefined ? {} : factsOfAnswer(event.answer)), ...work(state) };
    case "pre_compact":
    case "session_end":
      return work(state);
    default:
      return undefined;
  }
}

/** Most prompts say nothing a ledger keeps: they cost nothing. What they answer, the next stop takes out. */
function promptFacts(prompt: string, { promptCount }: State): Facts | undefined {
  const isFirst = promptCount === 1;
  const facts = factsOfPrompt(prompt, { isFirst });
  return isFirst || (facts.constraints ?? []).length > 0 ? facts : undefined;
}

function work({ files, tasks, cwd }: State): Facts {
  return {
    files: files
      .slice(0, limits.ledgerItems)
      .map((file) => shortPath(file, cwd))
      .reverse(),
    ...(tasks.length > 0 && { tasks }),
  };
}

/** One agent asks before every request whether to compact: with room left nothing comes of it. */
function isCompaction({ reason }: BridgeEvent, { bracket }: State): boolean {
  return reason !== "auto" || bracket !== "FRESH";
}

function writeHandoff(ledger: LedgerPlaces, event: BridgeEvent, state: State): void {
  const transcript = event.transcript ?? state.transcript;
  const said = transcript === undefined ? { prompts: [] } : saidLast(transcript);
  const view = readView(ledger) ?? [];
  const text = handoffText({ state, said, view }, { budgetTokens: limits.handoffTokens });
  mkdirSync(ledger.folder, { recursive: true, mode: 0o700 });
  const temporary = `${ledger.handoff}.${process.pid}.tmp`;
  writeFileSync(temporary, `${text}\n`, { mode: 0o600 });
  renameSync(temporary, ledger.handoff);
}
