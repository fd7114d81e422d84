import { asString } from "../../base/json.ts";
import type { Line } from "../../jsonl/line.ts";
import { linesForward } from "../../jsonl/read-forward.ts";
import { readLine } from "../../jsonl/records.ts";
import type { Damage } from "../../model/damage.ts";
import { glance, isRecord, mayBeSpliced, type RolloutRecord, recordOf } from "./glance.ts";
import { type HistoryState, historyFold, type Position, rewritesHistory } from "./history.ts";
import { type Span, spanStride } from "./lineage.ts";

/** What a first pass found out: which records the program would replay. */
export interface Plan extends HistoryState {
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

type Fold = ReturnType<typeof historyFold>;

/**
 * Goes once over all files, or over the newest from a place on, parsing only prompts, compactions and
 * roll-backs.
 */
export function planOf(
  spans: readonly Span[],
  options: { readonly from?: { readonly offset: number; readonly line: number } } = {},
): Plan {
  const { from } = options;
  const unchanged = from === undefined ? unchangedPlan(spans) : undefined;
  if (unchanged !== undefined) return unchanged;
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
    const part = { from: from?.offset ?? 0, end: span.file.sizeBytes };
    for (const found of linesForward(span.file.fd, part)) {
      line += 1;
      const place = { at: index * spanStride + found.offset, line };
      const seen = glance(found);
      if (isPastEnd(span, found.offset, seen?.ordinal)) {
        liveEnd = found.offset;
        break;
      }
      if (seen !== undefined && !mayBeSpliced(found)) {
        if (seen.type === "turn_context") latest.context = place;
        else if (seen.type === "token_usage_record" || seen.inner === "token_count") {
          latest.usage = place;
        }
        if (!isTelling(found, seen.type, seen.inner)) {
          if (seen.type === "response_item") noteItem(fold, found, place);
          continue;
        }
      }
      const read = readLine(found, line, isRecord);
      if (read?.damage !== undefined) damage.push({ ...read.damage, at: place.at });
      for (const native of read?.records ?? []) {
        const record = recordOf(native);
        if (record === undefined) continue;
        if (record.type === "compacted") Object.assign(beforeBase, latest);
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

/** The plan where nothing was ever compacted or rolled back: then no prompt has to be parsed for it. */
function unchangedPlan(spans: readonly Span[]): Plan | undefined {
  const liveEnds: number[] = [];
  for (const span of spans) {
    let liveEnd = span.file.sizeBytes;
    const { fd } = span.file;
    for (const line of linesForward(fd, { end: span.abandoned ? 0 : liveEnd })) {
      if (isPastEnd(span, line.offset, span.end && glance(line)?.ordinal)) {
        liveEnd = line.offset;
        break;
      }
      if (changesHistory(line)) return undefined;
    }
    liveEnds.push(span.abandoned ? 0 : liveEnd);
  }
  const state = historyFold().state();
  const none = { contextAt: undefined, usageAt: undefined, damage: [] };
  return { ...state, isLive: liveTest(state), liveEnds, ...none };
}

/** Whether a record lies behind the place where the next file takes over. */
export function isPastEnd(span: Span, offset: number, ordinal: number | undefined): boolean {
  if (span.end === undefined) return false;
  return ordinal === undefined ? offset >= span.end.offset : ordinal >= span.end.ordinal;
}

const roleBytes = 600;
const idShape = /"id":"([^"\\]{1,200})"/;

/** Whether a sound line has to be parsed for the fold. */
function isTelling(line: Line, type: string, inner: string): boolean {
  if (type === "compacted" || type === "inter_agent_communication") return true;
  if (type === "event_msg") return inner === "thread_rolled_back" || inner === "";
  if (type !== "response_item") return false;
  if (inner === "agent_message") return true;
  if (inner !== "message") return inner === "";
  const role = roleOf(line);
  return role !== "assistant";
}

function roleOf(line: Line): string | undefined {
  return /"role":"(\w+)"/.exec(line.bytes.toString("latin1", 0, roleBytes))?.[1];
}

/** An item that only ends a run of context; a model's message is also remembered by its id. */
function noteItem(fold: Fold, line: Line, place: Position): void {
  const head = line.bytes.toString("latin1", 0, roleBytes);
  const id = head.includes('"role":"assistant"') ? idShape.exec(head)?.[1] : undefined;
  if (id === undefined) fold.otherItem();
  else fold.assistant(id, place);
}

/** Whether a line would change what is live of the events before it. */
export function changesHistory(line: Line): boolean {
  const seen = glance(line);
  const isClear = seen !== undefined && (seen.type !== "event_msg" || seen.inner !== "");
  if (isClear && !mayBeSpliced(line)) return rewritesHistory(seen);
  return (readLine(line, 0, isRecord)?.records ?? []).some((native) => {
    const record = recordOf(native);
    return record !== undefined && rewritesHistory(record);
  });
}

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

function liveTest(state: HistoryState): Plan["isLive"] {
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
