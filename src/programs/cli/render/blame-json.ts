import type { Blame } from "../../../catalog/blame/blame.ts";
import type { Edit } from "../../../catalog/blame/edit.ts";
import type { BlamedRange } from "../../../catalog/blame/ranges.ts";

/** The stable shape of `blame --json`. */
export const blameShape = `{ file: string, project: string, missing: boolean, lines: number,
  ranges: { from: number, to: number,
    confidence: "exact" | "likely" | "possible" | "unknown",
    evidence?: "replayed" | "whole" | "ambiguous" | "matched" | "moved" | "reformatted" | "elsewhere",
    edit?: Edit, commit?: { hash: string, author: string, at: string, summary: string } }[],
  counts: { exact: number, likely: number, possible: number, unknown: number },
  last?: Edit, edits: number, sessionsRead: number, damaged: number,
  untold: number, unread: number }
type Edit = { ref: string, agent: string, session: string, event: string, title?: string,
  at: string, prompt?: string, promptEvent?: string, action: string, path: string }`;

/** What a blame says, as data. */
export function blameJson(told: Blame, ranges: readonly BlamedRange[]): object {
  const { target, missing, lines, last, editsSeen, sessionsRead, damaged, untold, unread } = told;
  return {
    file: target.path,
    project: target.project.path,
    missing,
    lines: lines.length,
    ranges: ranges.map(({ from, to, writer, commit }) => ({
      from,
      to,
      confidence: writer?.confidence ?? "unknown",
      ...(writer !== undefined && { evidence: writer.evidence, edit: editJson(writer.by) }),
      ...(commit !== undefined && { commit: { ...commit, atMs: undefined, at: iso(commit.atMs) } }),
    })),
    counts: countsOf(ranges),
    ...(last !== undefined && { last: editJson(last) }),
    edits: editsSeen,
    sessionsRead,
    damaged,
    untold,
    unread,
  };
}

/** How many lines are known how well. */
export function countsOf(
  ranges: readonly BlamedRange[],
): Readonly<Record<"exact" | "likely" | "possible" | "unknown", number>> {
  const counts = { exact: 0, likely: 0, possible: 0, unknown: 0 };
  for (const { from, to, writer } of ranges)
    counts[writer?.confidence ?? "unknown"] += to - from + 1;
  return counts;
}

function editJson({ act, origin, atMs }: Edit): object {
  return {
    ref: `${origin.agent}:${origin.session}@${act.event}`,
    agent: origin.agent,
    session: origin.session,
    event: act.event,
    ...(origin.title !== undefined && { title: origin.title }),
    at: iso(atMs),
    ...(act.prompt !== undefined && { prompt: act.prompt }),
    ...(act.promptEvent !== undefined && { promptEvent: act.promptEvent }),
    action: act.action,
    path: act.path,
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
