import { timeOf } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import type { Checkpoint } from "../checkpoint.ts";
import { isIncomplete } from "../snapshot.ts";

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/**
 * The checkpoints that time lets go, of all there are in the order they were taken. Labelled ones stay. Of the others all
 * of the last day stay, then of each session the newest of each hour, after a week of each day; and no session has more
 * than 50, the older ones go first.
 */
export function thinned(
  checkpoints: readonly Checkpoint[],
  { nowMs }: { readonly nowMs: number },
): readonly Checkpoint[] {
  const spans = new Map<string, Checkpoint>();
  const gone = new Set<Checkpoint>();
  for (const checkpoint of checkpoints) {
    const span = spanOf(checkpoint, nowMs);
    if (span === undefined || isLabelled(checkpoint)) continue;
    const other = spans.get(span);
    const stays = other === undefined ? checkpoint : preferred(other, checkpoint);
    if (other !== undefined) gone.add(stays === other ? checkpoint : other);
    spans.set(span, stays);
  }
  for (const ofSession of bySession(checkpoints.filter((one) => !gone.has(one)))) {
    const free = ofSession.filter((one) => !isLabelled(one) && !isSafety(one, nowMs));
    const over = Math.max(0, ofSession.length - limits.sessionCheckpoints);
    for (const one of free.slice(0, over)) gone.add(one);
  }
  return checkpoints.filter((one) => gone.has(one));
}

/** Whether a person gave it a name: then it stays until a person deletes it. */
export function isLabelled({ label }: Checkpoint): boolean {
  return label !== undefined && label !== "";
}

/** Whether an undo of the last day needs it. */
export function isSafety({ reason, at }: Checkpoint, nowMs: number): boolean {
  return reason === "safety" && nowMs - (timeOf(at) ?? 0) < limits.allCheckpointsMs;
}

/** The span of time of which one stays; undefined where all do. */
function spanOf(checkpoint: Checkpoint, nowMs: number): string | undefined {
  const atMs = timeOf(checkpoint.at) ?? 0;
  const ageMs = nowMs - atMs;
  if (ageMs < limits.allCheckpointsMs) return undefined;
  const [name, ms] =
    ageMs < limits.hourlyCheckpointsMs ? (["hour", hourMs] as const) : (["day", dayMs] as const);
  return JSON.stringify([sessionOf(checkpoint), name, Math.floor(atMs / ms)]);
}

/** A whole one says more than one of some files; else the newer one stays. */
function preferred(older: Checkpoint, newer: Checkpoint): Checkpoint {
  return isIncomplete(newer) && !isIncomplete(older) ? older : newer;
}

function bySession(checkpoints: readonly Checkpoint[]): readonly (readonly Checkpoint[])[] {
  const groups = new Map<string, Checkpoint[]>();
  for (const checkpoint of checkpoints) {
    const key = sessionOf(checkpoint);
    const group = groups.get(key) ?? [];
    group.push(checkpoint);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** A folder without a session counts as one. */
function sessionOf({ agent = "", session = "", folder }: Checkpoint): string {
  return JSON.stringify(session === "" ? [folder] : [agent, session]);
}
