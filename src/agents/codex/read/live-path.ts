import { asString } from "../../../base/json.ts";
import { limits } from "../../../base/limits.ts";
import type { Damage } from "../../../model/damage.ts";
import { isTokenReport, type RolloutRecord } from "../record-types.ts";
import { type Span, spanStride } from "./lineage.ts";
import { type HistoryState, historyFold, type Position } from "./rewritten-history.ts";
import { type RolloutLine, rolloutLines } from "./rollout-lines.ts";

/** What a first pass found out: which records the program would replay. */
export interface LivePath extends HistoryState {
  /** Whether an event at this position is on the path; `copy` as in {@link Kept}. */
  isLive(at: number, copy?: number): boolean;
  /** Per file: the offset up to which the session stands on it. */
  readonly liveEnds: readonly number[];
  /** The newest turn's settings and token totals before the base, so that reading may begin there. */
  readonly contextAt: Position | undefined;
  readonly usageAt: Position | undefined;
  /** What was seen to be damaged on the way, with positions over all files. */
  readonly damage: readonly (Damage & { readonly at: number })[];
}

/** Goes once over all files, or over the newest from a place on. */
export function livePath(
  spans: readonly Span[],
  options: { readonly from?: { readonly offset: number; readonly line: number } } = {},
): LivePath {
  const { from } = options;
  const fold = historyFold({ partial: from !== undefined });
  const liveEnds: number[] = [];
  const damage: (Damage & { at: number })[] = [];
  const latest: { context?: Position; usage?: Position } = {};
  const beforeBase: { context?: Position; usage?: Position } = {};
  for (const [index, span] of spans.entries()) {
    let liveEnd = span.file.sizeBytes;
    const isLast = index === spans.length - 1;
    if (span.abandoned || (from !== undefined && !isLast)) {
      liveEnds.push(0);
      continue;
    }
    let line = from?.line ?? 0;
    for (const found of rolloutLines(span.file, { from: from?.offset ?? 0, end: liveEnd })) {
      line += 1;
      const place = { at: index * spanStride + found.offset, line };
      if (isPastEnd(span, found)) {
        liveEnd = found.offset;
        break;
      }
      for (const one of found.damage) {
        if (damage.length < limits.toldDamages) damage.push({ ...one, at: place.at });
      }
      for (const record of found.records) {
        if (record.type === "turn_context") latest.context = place;
        else if (isTokenReport(record)) latest.usage = place;
        else if (record.type === "compacted") Object.assign(beforeBase, latest);
        foldRecord(fold, record, place);
      }
    }
    liveEnds.push(liveEnd);
  }
  const state = fold.state();
  return {
    ...state,
    isLive: liveTest(state),
    liveEnds,
    contextAt: beforeBase.context,
    usageAt: beforeBase.usage,
    damage,
  };
}

/** Whether a line lies behind the place where the next file takes over. */
export function isPastEnd(span: Span, { offset, records }: RolloutLine): boolean {
  if (span.end === undefined) return false;
  const ordinal = records[0]?.ordinal;
  return ordinal === undefined ? offset >= span.end.offset : ordinal >= span.end.ordinal;
}

type Fold = ReturnType<typeof historyFold>;

function foldRecord(fold: Fold, record: RolloutRecord, place: Position): void {
  const { type, inner, payload } = record;
  if (type === "compacted") fold.compacted(payload, place);
  else if (type === "event_msg" && inner === "thread_rolled_back") fold.rolledBack(payload, place);
  else if (type === "inter_agent_communication") {
    fold.item({ type: "agent_message", author: "", recipient: "", content: [] }, place);
  } else if (type === "response_item") {
    const id = payload["role"] === "assistant" ? asString(payload["id"]) : undefined;
    if (id === undefined) fold.item(payload, place);
    else fold.assistant(id, place);
  }
}

function liveTest(state: HistoryState): LivePath["isLive"] {
  const { base, dead } = state;
  const kept = new Set(base?.items.map((item) => `${item.at}:${item.copy ?? ""}`));
  const isDead = (at: number): boolean => {
    let low = 0;
    let high = dead.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (dead[middle]![1] <= at) low = middle + 1;
      else high = middle;
    }
    return low < dead.length && dead[low]![0] <= at;
  };
  return (at, copy) => {
    if (base === undefined || at > base.at.at) return !isDead(at);
    return kept.has(`${at}:${copy ?? ""}`);
  };
}
