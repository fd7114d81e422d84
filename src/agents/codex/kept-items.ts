import { asString } from "../../base/json.ts";
import { linesForward } from "../../jsonl/read-forward.ts";
import { readLine } from "../../jsonl/records.ts";
import type { AgentEvent } from "../contract.ts";
import { isRecord, type RolloutRecord, recordOf } from "./glance.ts";
import type { Position } from "./history.ts";
import { type Span, spanStride } from "./lineage.ts";
import { numbering } from "./numbering.ts";
import type { Plan } from "./plan.ts";
import { placeOf } from "./stream.ts";
import { tokenReport } from "./token-usage.ts";
import { type TranslatorState, translator } from "./translate.ts";

/** The record at a position, without reading what lies before it. */
export function recordAt(spans: readonly Span[], position: Position): RolloutRecord | undefined {
  const span = spans[Math.floor(position.at / spanStride)];
  if (span === undefined) return undefined;
  const from = position.at % spanStride;
  for (const line of linesForward(span.file.fd, { from, end: span.file.sizeBytes })) {
    const native = readLine(line, position.line, isRecord)?.records[0];
    return native === undefined ? undefined : recordOf(native);
  }
  return undefined;
}

/** The events of one record on its own. */
export function eventsAt(
  spans: readonly Span[],
  options: { readonly position: Position; readonly plan: Plan; readonly meta?: boolean },
): readonly AgentEvent[] {
  const { position, plan } = options;
  const record = recordAt(spans, position);
  const span = spans[Math.floor(position.at / spanStride)];
  if (record === undefined || span === undefined) return [];
  const number = numbering(span).next(record.ordinal, { line: position.line, index: 0 });
  const alone = translator({ calls: [], partial: true });
  const facts = { at: position.at, past: false, meta: options.meta };
  alone.take(record, { ...placeOf(plan, facts), number });
  alone.end();
  return alone.ready;
}

/** The events of what the newest compaction kept, in the order the program replays them. */
export function* keptEvents(
  spans: readonly Span[],
  options: { readonly plan: Plan; readonly from: number },
): Generator<{ readonly events: readonly AgentEvent[]; readonly index: number }> {
  const { plan } = options;
  const items = plan.base?.items ?? [];
  let held: { readonly at: number; readonly events: readonly AgentEvent[] } | undefined;
  for (let index = options.from; index < items.length; index += 1) {
    const item = items[index]!;
    if (held?.at !== item.at) {
      held = { at: item.at, events: eventsAt(spans, { position: item, plan }) };
    }
    const own = held.events;
    // A compaction record has one event for its summary and one per item it does not repeat.
    const wanted = item.copy === undefined || item.copy === 0 ? "" : `.${item.copy}`;
    const events =
      item.copy === undefined
        ? own
        : own.filter(({ number, body }) =>
            wanted === "" ? body.type === "compaction" : number.endsWith(wanted),
          );
    yield { events: events.filter((event) => event.live), index };
  }
}

/** What a translator has to know to begin right behind the newest compaction. */
export function stateAtBase(spans: readonly Span[], plan: Plan): TranslatorState {
  return stateFrom({
    context: plan.contextAt && recordAt(spans, plan.contextAt),
    usage: plan.usageAt && recordAt(spans, plan.usageAt),
  });
}

/** A translator's state from the newest turn context and the newest token report before a place. */
export function stateFrom(newest: {
  readonly context: RolloutRecord | undefined;
  readonly usage: RolloutRecord | undefined;
}): TranslatorState {
  const { context, usage } = newest;
  const model = asString(context?.payload["model"]);
  const cwd = asString(context?.payload["cwd"]);
  const type = usage?.type === "event_msg" ? usage.inner : (usage?.type ?? "");
  const totals = usage && tokenReport(type, usage.payload)?.total;
  return {
    calls: [],
    ...(model !== undefined && { model }),
    ...(cwd !== undefined && { cwd }),
    ...(totals !== undefined && { totals }),
  };
}
