import { asString } from "../../../base/json.ts";
import type { AgentEvent } from "../../contract.ts";
import type { RolloutRecord } from "../record-types.ts";
import { tokenReport } from "../token-usage.ts";
import { type EventMakerState, eventMaker } from "./events.ts";
import { type Span, spanStride } from "./lineage.ts";
import type { LivePath } from "./live-path.ts";
import { numbering } from "./numbering.ts";
import type { Position } from "./rewritten-history.ts";
import { rolloutLines } from "./rollout-lines.ts";
import { placeOf } from "./walk.ts";

/** The records at a position, usually one, without reading what lies before it. */
export function recordsAt(spans: readonly Span[], position: Position): readonly RolloutRecord[] {
  const span = spans[Math.floor(position.at / spanStride)];
  if (span === undefined) return [];
  const from = position.at % spanStride;
  for (const { records } of rolloutLines(span.file, { from, end: span.file.sizeBytes })) {
    return records;
  }
  return [];
}

/** The events of one line on its own. */
export function eventsAt(
  spans: readonly Span[],
  options: { readonly position: Position; readonly path: LivePath; readonly meta?: boolean },
): readonly AgentEvent[] {
  const { position, path } = options;
  const span = spans[Math.floor(position.at / spanStride)];
  if (span === undefined) return [];
  const numbers = numbering(span);
  const alone = eventMaker({ calls: [], partial: true });
  const place = placeOf(path, { at: position.at, past: false, meta: options.meta });
  for (const [index, record] of recordsAt(spans, position).entries()) {
    const offset = position.at % spanStride;
    const number = numbers.next(record.ordinal, { line: position.line, offset, index });
    alone.take(record, { ...place, number });
  }
  alone.end();
  return alone.ready;
}

/** The events of what the newest compaction kept, in the order the program replays them. */
export function* keptEvents(
  spans: readonly Span[],
  options: { readonly path: LivePath; readonly from: number },
): Generator<{ readonly events: readonly AgentEvent[]; readonly index: number }> {
  const { path } = options;
  const items = path.base?.items ?? [];
  let held: { readonly at: number; readonly events: readonly AgentEvent[] } | undefined;
  for (let index = options.from; index < items.length; index += 1) {
    const item = items[index]!;
    if (held?.at !== item.at) {
      held = { at: item.at, events: eventsAt(spans, { position: item, path }) };
    }
    const own = held.events;
    // A compaction record has one event for its summary and one per item it does not repeat.
    const wanted = item.copy === undefined || item.copy === 0 ? "" : `.${item.copy + 1}`;
    const events =
      item.copy === undefined
        ? own
        : own.filter(({ number, body }) =>
            wanted === "" ? body.type === "compaction" : number.endsWith(wanted),
          );
    yield { events: events.filter((event) => event.live), index };
  }
}

/** What making events needs to know to begin right behind the newest compaction. */
export function stateAtBase(spans: readonly Span[], path: LivePath): EventMakerState {
  return stateFrom({
    context: path.contextAt && recordsAt(spans, path.contextAt)[0],
    usage: path.usageAt && recordsAt(spans, path.usageAt)[0],
  });
}

/** An event maker's state from the newest turn context and the newest token report before a place. */
export function stateFrom(newest: {
  readonly context: RolloutRecord | undefined;
  readonly usage: RolloutRecord | undefined;
}): EventMakerState {
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
