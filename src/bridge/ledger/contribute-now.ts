import { smallFile } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import { cutToTokens, estimateTokens } from "../../context/estimate.ts";
import type { Contribution, InjectionContext } from "../inject/injection.ts";
import { placesOf } from "../state/places.ts";
import { loadState } from "../state/snapshot.ts";
import { plainName } from "../team/entry.ts";
import { readTeam } from "../team/log.ts";
import { tellTeam } from "../team/tell.ts";
import type { Occasion } from "./contribute.ts";
import { type Newest, newestLedger } from "./newest.ts";
import type { LedgerPlaces, ProjectPlaces } from "./places.ts";
import { tellChanges, tellLedger } from "./tell.ts";
import { updateLedger } from "./update.ts";
import { readView } from "./view.ts";
import { workFacts } from "./work.ts";
import { writeHandoff } from "./write-handoff.ts";

/**
 * What the ledger has to say at an event, the most important first. Into a context that lost its past goes the
 * session's own ledger and hand-off; into a new session that of the one before it; later on only what came from
 * outside: what the session itself did, its model knows.
 */
export function contributeNow(
  context: InjectionContext,
  occasion: Occasion,
): readonly Contribution[] {
  const { event, state, policy } = context;
  const { project, own, isOpening } = occasion;
  const isLost = isOpening && state.compactions > 0;
  // Nobody said beforehand that the context would be shortened; the transcript still has what was in it.
  if (isLost && event.compaction !== undefined) writeHandoff(own, context);
  if (policy.gives === "nudge") return [];
  if (policy.gives === "pinned") return pinned(own, { budgetTokens: policy.budgetTokens, isLost });
  const opening = isLost
    ? afterCompaction(own, policy.budgetTokens)
    : isOpening
      ? afterAnother(context, occasion)
      : [];
  const told = opening.some(({ text }) => text !== "")
    ? opening
    : changes(own, { sinceMs: occasion.sinceMs, budgetTokens: policy.budgetTokens });
  return [...told, ...team(project, context)];
}

function afterCompaction(own: LedgerPlaces, budgetTokens: number): readonly Contribution[] {
  const handoff = smallFile(own.handoff, limits.ledgerBytes);
  const view = readView(own) ?? [];
  const introduction = `# Ledger of this session\n\nKept in ${own.ledger}, which the user may edit.`;
  const text = tellLedger(view, {
    part: handoff === undefined ? "whole" : "rest",
    introduction,
    budgetTokens: Math.floor(budgetTokens * (handoff === undefined ? 0.8 : 0.3)),
  });
  return [
    ...(handoff === undefined ? [] : [said("handoff", cut(handoff, budgetTokens * 0.5))]),
    said("ledger", text),
  ];
}

function afterAnother(
  { event, policy, places }: InjectionContext,
  { project, own }: Occasion,
): readonly Contribution[] {
  const before = newestLedger(project);
  if (before === undefined || before.places.folder === own.folder) return [];
  if (Date.now() - before.atMs > limits.ledgerFreshMs) return [];
  catchUp(before, places.root);
  const view = readView(before.places);
  if (view === undefined) return [];
  const when = new Date(before.atMs).toISOString().slice(0, 16).replace("T", " ");
  const introduction = `# Where the last session stopped

From the ledger of ${before.agent} of ${when} UTC (${before.places.ledger}). It is for your information: continue it only if the user asks for it.`;
  const cleared = event.source === "clear";
  const text = tellLedger(view, {
    part: cleared ? "whole" : "brief",
    introduction,
    budgetTokens: Math.floor(policy.budgetTokens * (cleared ? 0.8 : 0.5)),
  });
  return [said("ledger", text)];
}

/** An agent that was killed said no last word: what its hooks counted until then is taken in now. */
function catchUp(before: Newest, root: string): void {
  const { agent, session, atMs } = before;
  const { state } = loadState(placesOf(root, agent, session), { agent, session });
  const updatedMs = Date.parse(state.updatedAt);
  if (!(updatedMs > atMs)) return;
  updateLedger(before.places, {
    owner: { agent, session },
    facts: workFacts(state),
    nowMs: updatedMs,
  });
}

function changes(
  own: LedgerPlaces,
  { sinceMs, budgetTokens }: { readonly sinceMs: number; readonly budgetTokens: number },
): readonly Contribution[] {
  const view = readView(own) ?? [];
  const text = tellChanges(view, { sinceMs, budgetTokens: Math.floor(budgetTokens * 0.5) });
  return [said("changes", text)];
}

/** With little room left: what must not be forgotten, and after a compaction the hand-off before it. */
function pinned(
  own: LedgerPlaces,
  { budgetTokens, isLost }: { readonly budgetTokens: number; readonly isLost: boolean },
): readonly Contribution[] {
  const handoff = isLost ? smallFile(own.handoff, limits.ledgerBytes) : undefined;
  const text = tellLedger(readView(own) ?? [], {
    part: "pinned",
    introduction: "# Keep in mind",
    budgetTokens: Math.floor(budgetTokens * (handoff === undefined ? 1 : 0.4)),
  });
  const told = [
    ...(handoff === undefined ? [] : [said("handoff", cut(handoff, budgetTokens * 0.6))]),
    said("pinned", text),
  ];
  return told.map((contribution) => ({ ...contribution, pinned: true }));
}

function team(
  project: ProjectPlaces,
  { state, policy }: InjectionContext,
): readonly Contribution[] {
  const found = readTeam(project);
  if (found === undefined) return [];
  const budgetTokens = Math.floor(policy.budgetTokens * 0.2);
  // Anyone who starts an agent by name says so; else the one counts that the agent itself named.
  const agent = plainName(process.env["REPRISE_AGENT"] ?? "") || state.agents.at(-1);
  return [said("team", tellTeam(found, { agent, budgetTokens }))];
}

function said(kind: string, text: string): Contribution {
  return { kind, text, tokens: estimateTokens(text) };
}

function cut(text: string, tokens: number): string {
  const kept = cutToTokens(text, Math.floor(tokens) - 1, estimateTokens);
  return kept.length === text.length ? text.trim() : `${kept.trim()}…`;
}
