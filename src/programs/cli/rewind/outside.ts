import { findSessions, sessionsOfFolder } from "../../../agents/find-sessions.ts";
import { timeOf } from "../../../base/clock.ts";
import { limits } from "../../../base/limits.ts";
import { dialectsOf } from "../../../catalog/blame/call-acts.ts";
import { diffPoints } from "../../../catalog/diff/diff-points.ts";
import { makersBetween } from "../../../catalog/diff/makers-between.ts";
import { workBetween } from "../../../catalog/diff/session-work.ts";
import type { Preview } from "../../../snapshot/restore/restore.ts";
import type { Snapshot } from "../../../snapshot/snapshot.ts";
import type { CommandContext } from "../run/command.ts";
import { changedOnDisk, nowAt, snapshotPoint } from "../sessions/diff-point.ts";
import { homeOf } from "../sessions/native.ts";
import { leavesOf } from "./plan-text.ts";

/** The paths of a plan that somebody changed since the target outside of any session. */
export async function changedOutside(
  { plan, present }: Preview,
  target: Snapshot,
  context: CommandContext,
): Promise<ReadonlySet<string>> {
  const { folder, steps } = plan;
  const leaves = leavesOf(steps);
  if (leaves.length === 0) return new Set();
  const sessions = sessionsOfFolder(findSessions(context, { subagents: true }), folder);
  const span = { fromMs: (timeOf(target.at) ?? 0) + 1, toMs: context.nowMs };
  const work = await workBetween(sessions, span, { dialects: dialectsOf(context.agents), folder });
  const points = [snapshotPoint(target, homeOf(context)), nowAt(folder, context)] as const;
  const paths = leaves.slice(0, limits.judgedPaths).map(({ path }) => path);
  const given = { work, changedMs: changedOnDisk(folder) };
  const others = makersBetween(homeOf(context), [target, present], given);
  const outside = new Set<string>();
  for (const { path, by } of diffPoints(points, paths, { ...given, others }))
    if (by.some(({ kind }) => kind === "outside")) outside.add(path);
  return outside;
}
