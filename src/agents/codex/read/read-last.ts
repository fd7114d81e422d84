import { limits } from "../../../base/limits.ts";
import { linesBefore } from "../../../jsonl/line-number.ts";
import { linesBackward } from "../../../jsonl/read-backward.ts";
import type { AgentEvent, ReadBatch } from "../../contract.ts";
import { batchOf } from "./batches.ts";
import { eventMaker } from "./events.ts";
import { lastWindow } from "./last-window.ts";
import type { Lineage } from "./lineage.ts";
import { type LivePath, livePath } from "./live-path.ts";
import { type ReadBegin, readWhole } from "./read-whole.ts";
import { everythingLive, walk } from "./walk.ts";

interface LastOptions {
  readonly count: number;
  readonly allBranches: boolean;
}

/**
 * The last events as one batch, read from the end of the newest file. Where something was compacted or
 * rolled back there, what is live is found out from no more of the file than that takes.
 */
export function readLast(lineage: Lineage, options: LastOptions): ReadBatch {
  const wanted = { ...options, count: Math.max(0, Math.floor(options.count)) };
  const { spans } = lineage;
  const { allBranches, count } = wanted;
  const window = lastWindow(spans.at(-1)!, { events: count, allBranches });
  const from = window && { span: spans.length - 1, ...window.place };
  if (from !== undefined && !allBranches) {
    const path = { ...everythingLive, changedAt: -1 };
    return lastOf(batchesFrom(lineage, { from, path, allBranches, maker: window }), count);
  }
  const { sizeBytes } = spans.at(-1)!.file;
  for (let bytes: number = limits.headBytesMax; bytes < sizeBytes; bytes *= 4) {
    const begin = beginAt(lineage, bytes);
    const path = livePath(spans, { from: begin.place });
    if (!path.sure || (!path.foundAll && bytes < limits.keptSearchBytes)) continue;
    if (from !== undefined && begin.place.offset <= from.offset) {
      return lastOf(batchesFrom(lineage, { from, path, allBranches, maker: window }), count);
    }
    const batch = lastOf(readWhole(lineage, { allBranches, end: { path, begin } }), count);
    const whole = path.base !== undefined && !allBranches;
    if (whole || batch.events.length >= count) return batch;
  }
  return lastOf(readWhole(lineage, { allBranches }), count);
}

/** The first line that begins in the last bytes of the newest file. */
function beginAt(lineage: Lineage, bytes: number): ReadBegin {
  const { fd, sizeBytes } = lineage.spans.at(-1)!.file;
  let offset = 0;
  for (const line of linesBackward(fd, { end: sizeBytes })) {
    offset = line.offset;
    if (sizeBytes - offset >= bytes) break;
  }
  const place = { offset, line: linesBefore(fd, offset), highest: 0 };
  return {
    place: { span: lineage.spans.length - 1, ...place },
    state: { calls: [], partial: true },
  };
}

function* batchesFrom(
  lineage: Lineage,
  how: {
    readonly from: ReadBegin["place"];
    readonly path: Pick<LivePath, "isLive" | "originals" | "liveEnds" | "changedAt">;
    readonly allBranches: boolean;
    readonly maker: Pick<ReadBegin, "state"> | undefined;
  },
): Generator<ReadBatch> {
  const { spans } = lineage;
  const { from, path, allBranches } = how;
  const maker = eventMaker(how.maker?.state);
  for (const batch of walk(spans, { from, path, allBranches, maker })) {
    yield batchOf({ spans, path, allBranches }, { ...batch, maker });
  }
}

/** The last events of many batches, in one. */
function lastOf(batches: Iterable<ReadBatch>, count: number): ReadBatch {
  const events: AgentEvent[] = [];
  const damage: ReadBatch["damage"][number][] = [];
  const unknown: Record<string, number> = {};
  let cursor = "";
  for (const batch of batches) {
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
