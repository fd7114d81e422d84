import { limits } from "../../base/limits.ts";
import type { AgentEvent, ReadBatch } from "../contract.ts";
import type { Lineage } from "./lineage.ts";
import { planOf } from "./plan.ts";
import { everythingLive, stream } from "./stream.ts";
import { tailWindow } from "./tail-window.ts";
import { translator } from "./translate.ts";
import { batchOf, wholeRead } from "./whole-read.ts";

/** The last events as one batch, read from the end of the file where nothing was taken back there. */
export function lastBatch(
  lineage: Lineage,
  options: { readonly count: number; readonly allBranches: boolean },
): ReadBatch {
  const count = Math.max(0, Math.floor(options.count));
  const events: AgentEvent[] = [];
  const damage: ReadBatch["damage"][number][] = [];
  const unknown: Record<string, number> = {};
  let cursor = "";
  for (const batch of batchesNearEnd(lineage, { ...options, count })) {
    events.push(...batch.events);
    if (events.length > count) events.splice(0, events.length - count);
    damage.push(...batch.damage.slice(0, limits.reportedDamages - damage.length));
    for (const [name, seen] of Object.entries(batch.unknown ?? {})) {
      unknown[name] = (unknown[name] ?? 0) + seen;
    }
    cursor = batch.cursor;
  }
  const counted = Object.keys(unknown).length > 0;
  return { events, damage, cursor, ...(counted && { unknown }) };
}

function* batchesNearEnd(
  lineage: Lineage,
  options: { readonly count: number; readonly allBranches: boolean },
): Generator<ReadBatch> {
  const { spans } = lineage;
  const { allBranches, count } = options;
  const window = tailWindow(spans.at(-1)!, { events: count, allBranches });
  if (window === undefined) {
    yield* wholeRead(lineage, { allBranches });
    return;
  }
  const plan = allBranches ? planOf(spans) : { ...everythingLive, changedAt: -1 };
  const going = translator(window.state);
  const from = { span: spans.length - 1, ...window.place };
  for (const batch of stream(spans, { from, plan, allBranches, translator: going })) {
    yield batchOf({ spans, plan, allBranches }, { ...batch, going });
  }
}
