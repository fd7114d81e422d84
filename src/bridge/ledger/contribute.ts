import { dirname } from "node:path";
import { fileStat, smallFile } from "../../base/folders.ts";
import { limits } from "../../base/limits.ts";
import { estimateTokens } from "../../context/tokens.ts";
import type { Contribution, InjectionContext } from "../injection.ts";
import { readTeam } from "../team/log.ts";
import { tellTeam } from "../team/tell.ts";
import { newestLedger } from "./newest.ts";
import { type LedgerPlaces, ledgerPlaces, type ProjectPlaces, projectPlaces } from "./places.ts";
import { tellChanges, tellLedger } from "./tell.ts";
import { readView } from "./view.ts";

/**
 * What the ledger has to say at an event, the most important first. Into a context that lost its past goes the
 * session's own ledger and hand-off; into a new session that of the one before it; later on only what came from
 * outside: what the session itself did, its model knows.
 */
export function contributeLedger(context: InjectionContext): readonly Contribution[] {
  const { event, state, policy, places } = context;
  const cwd = event.cwd ?? state.cwd;
  if (cwd === undefined || policy.gives === "nudge") return [];
  const project = projectPlaces(dirname(places.root), cwd);
  const own = ledgerPlaces(project, event);
  if (policy.gives === "pinned") return pinned(own, policy.budgetTokens);
  const { budgetTokens } = policy;
  const opening = !isOpening(context)
    ? []
    : state.compactions > 0
      ? afterCompaction(own, budgetTokens)
      : afterAnother({ project, own, source: event.source, budgetTokens });
  const told = opening.some(({ text }) => text !== "") ? opening : changes(own, context);
  return [...told, ...team(project, context)];
}

/** Whether this context was given nothing of a ledger yet, and begins now. */
function isOpening({ event, state }: InjectionContext): boolean {
  if (state.injected.some(({ kind }) => openings.has(kind))) return false;
  if (state.compactions > 0) return true;
  if (event.kind === "session_start") return event.source !== "resume";
  return event.kind === "prompt" && state.promptCount <= 1;
}

const openings: ReadonlySet<string> = new Set(["ledger", "handoff"]);

function afterCompaction(own: LedgerPlaces, budgetTokens: number): readonly Contribution[] {
  const handoff = smallFile(own.handoff, limits.ledgerBytes);
  const view = readView(own) ?? [];
  const introduction = `# Ledger of this session\n\nKept in ${own.ledger}, which the user may edit.`;
  const text = tellLedger(view, {
    part: handoff === undefined ? "whole" : "brief",
    introduction,
    budgetTokens: Math.floor(budgetTokens * (handoff === undefined ? 0.8 : 0.3)),
  });
  return [
    ...(handoff === undefined ? [] : [said("handoff", cut(handoff, budgetTokens * 0.5))]),
    said("ledger", text),
  ];
}

function afterAnother({
  project,
  own,
  source,
  budgetTokens,
}: {
  readonly project: ProjectPlaces;
  readonly own: LedgerPlaces;
  readonly source: string | undefined;
  readonly budgetTokens: number;
}): readonly Contribution[] {
  const before = newestLedger(project);
  if (before === undefined || before.places.folder === own.folder) return [];
  if (Date.now() - before.atMs > limits.ledgerFreshMs) return [];
  const view = readView(before.places);
  if (view === undefined) return [];
  const when = new Date(before.atMs).toISOString().slice(0, 16).replace("T", " ");
  const introduction = `# Where the last session stopped

From the ledger of ${before.agent} of ${when} UTC (${before.places.ledger}). It is for your information: go on with it only if the user asks for it.`;
  const cleared = source === "clear";
  const text = tellLedger(view, {
    part: cleared ? "whole" : "brief",
    introduction,
    budgetTokens: Math.floor(budgetTokens * (cleared ? 0.8 : 0.5)),
  });
  return [said("ledger", text)];
}

function changes(own: LedgerPlaces, { state, policy }: InjectionContext): readonly Contribution[] {
  const last = state.injected.findLast(({ kind }) => kind === "ledger" || kind === "changes");
  const sinceMs = Date.parse(last?.at ?? state.startedAt);
  if (Number.isNaN(sinceMs) || !isChangedSince(own, sinceMs)) return [];
  const view = readView(own) ?? [];
  const budgetTokens = Math.floor(policy.budgetTokens * 0.5);
  return [said("changes", tellChanges(view, { sinceMs, budgetTokens }))];
}

/** Three looks at most prompts tell that nothing came from outside. */
function isChangedSince(own: LedgerPlaces, sinceMs: number): boolean {
  const saved = fileStat(own.ledger);
  if (saved === undefined) return false;
  if ((fileStat(own.outside)?.modifiedMs ?? 0) > sinceMs) return true;
  return saved.modifiedMs > (fileStat(own.kept)?.modifiedMs ?? 0);
}

function pinned(own: LedgerPlaces, budgetTokens: number): readonly Contribution[] {
  const view = readView(own);
  if (view === undefined) return [];
  const introduction = "# Keep in mind";
  const text = tellLedger(view, { part: "pinned", introduction, budgetTokens });
  return [{ ...said("pinned", text), pinned: true }];
}

function team(
  project: ProjectPlaces,
  { state, policy }: InjectionContext,
): readonly Contribution[] {
  const found = readTeam(project);
  if (found === undefined) return [];
  const budgetTokens = Math.floor(policy.budgetTokens * 0.2);
  return [said("team", tellTeam(found, { agent: state.agents.at(-1), budgetTokens }))];
}

function said(kind: string, text: string): Contribution {
  return { kind, text, tokens: estimateTokens(text) };
}

function cut(text: string, tokens: number): string {
  const chars = Math.floor(tokens) * 4;
  return text.length <= chars
    ? text.trim()
    : `${text
        .slice(0, chars - 1)
        .toWellFormed()
        .trim()}…`;
}
