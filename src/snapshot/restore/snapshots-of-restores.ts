import { timeOf } from "../../base/clock.ts";
import { asNumber } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { journalEntries } from "../../log/read-journal.ts";
import type { EventId } from "../../model/event.ts";
import type { Home } from "../../store/home.ts";
import type { Snapshot } from "../snapshot.ts";
import { factsIn } from "./restore-entry.ts";

/**
 * The snapshots that going back began with and led to: of the last day, because an undo or a redo needs them, and of what
 * was cut off, because the next command does. Whether checkpoints of them are still listed does not matter.
 */
export function snapshotsOfRestores(home: Home, nowMs: number): readonly Snapshot[] {
  const recent: Snapshot[] = [];
  const open = new Map<EventId, readonly Snapshot[]>();
  for (const { id, at, data } of journalEntries(home.journal)) {
    open.delete(asNumber(data["intention"]) ?? 0);
    const facts = factsIn(data);
    if (facts === undefined) continue;
    const own = [facts.present, facts.target];
    if (nowMs - (timeOf(at) ?? 0) < limits.allCheckpointsMs) recent.push(...own);
    else if (data["intention"] === undefined) open.set(id, own);
  }
  return [...recent, ...[...open.values()].flat()];
}
