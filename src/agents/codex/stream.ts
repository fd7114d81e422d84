import type { Line } from "../../jsonl/line.ts";
import { linesForward } from "../../jsonl/read-forward.ts";
import { readLine } from "../../jsonl/records.ts";
import type { Damage } from "../../model/damage.ts";
import type { AgentEvent } from "../contract.ts";
import { isRepeatingLine } from "./event-messages.ts";
import { type Glance, glance, isRecord, mayBeSpliced, recordOf } from "./glance.ts";
import { type Span, spanStride } from "./lineage.ts";
import { type Numbering, numbering } from "./numbering.ts";
import { isPastEnd, type Plan } from "./plan.ts";
import type { Place, Translator } from "./translate.ts";

/** A place in the files of a session where reading can go on. */
export interface StreamPlace {
  readonly span: number;
  readonly offset: number;
  /** Whole lines before the offset. */
  readonly line: number;
  readonly highest: number;
}

/** Some events, and the place behind them. */
export interface StreamBatch {
  readonly events: readonly AgentEvent[];
  readonly damage: readonly Damage[];
  readonly place: StreamPlace;
  /** Nothing comes after it. */
  readonly end: boolean;
}

const batchEvents = 256;
const batchBytes = 1024 * 1024;

/** The part of the plan that streaming asks. */
export type LivePlan = Pick<Plan, "isLive" | "originals" | "liveEnds">;

/** Reads the files of a session from a place on, in native order, in batches. */
export function* stream(
  spans: readonly Span[],
  options: {
    readonly from: StreamPlace;
    readonly plan: LivePlan;
    readonly allBranches: boolean;
    readonly translator: Translator;
  },
): Generator<StreamBatch> {
  const { from, plan, translator } = options;
  for (let index = from.span; index < spans.length; index += 1) {
    const span = spans[index]!;
    const begin = index === from.span ? from : { span: index, offset: 0, line: 0, highest: 0 };
    const whole = options.allBranches && span.sameThread;
    const liveEnd = plan.liveEnds[index] ?? span.file.sizeBytes;
    const end = whole ? span.file.sizeBytes : liveEnd;
    const numbers = numbering(span, { highest: begin.highest });
    let damage: Damage[] = [];
    let line = begin.line;
    let bytes = 0;
    let metaSeen = begin.line > 0;
    let place: StreamPlace = begin;
    const { fd } = span.file;
    for (const found of linesForward(fd, { from: begin.offset, end })) {
      const seen = glance(found);
      if (!whole && isPastEnd(span, found.offset, seen?.ordinal)) break;
      line += 1;
      const next = found.offset + found.length;
      if (seen !== undefined && isSkipped(seen, found)) {
        numbers.next(seen.ordinal, { line, offset: found.offset, index: 0 });
        damage.push(...orderDamage(numbers, found.offset));
      } else {
        const read = readLine(found, line, isRecord);
        if (read?.damage !== undefined) damage.push(read.damage);
        const past = found.offset >= liveEnd;
        for (const [twin, native] of (read?.records ?? []).entries()) {
          const record = recordOf(native);
          if (record === undefined) {
            damage.push(badRecord(found.offset, found.length));
            continue;
          }
          const spot = { line, offset: found.offset, index: twin };
          const number = numbers.next(record.ordinal, spot);
          damage.push(...orderDamage(numbers, found.offset));
          const at = index * spanStride + found.offset;
          // The first one is the thread's own; a legacy fork copies its parent's behind it.
          const isMeta = record.type === "session_meta";
          const isOwn = isMeta && span.own && !metaSeen;
          metaSeen ||= isMeta;
          const live = placeOf(plan, {
            at,
            past,
            meta: isMeta ? isOwn : undefined,
          });
          translator.take(record, { ...live, number });
        }
      }
      bytes += found.length;
      // An unfinished line is read if it is whole, and looked at again if it is not.
      if (found.complete) place = { span: index, offset: next, line, highest: numbers.highest };
      else if (translator.ready.length > 0 && damage.at(-1)?.kind !== "torn_tail") {
        place = { span: index, offset: next, line: line - 1, highest: numbers.highest };
      }
      const full = translator.ready.length >= batchEvents || bytes >= batchBytes;
      if (full && translator.settled && found.complete) {
        yield { events: translator.ready.splice(0), damage, place, end: false };
        damage = [];
        bytes = 0;
      }
    }
    // A response never goes on in another file.
    translator.end();
    const isLast = index === spans.length - 1;
    yield { events: translator.ready.splice(0), damage, place, end: isLast };
  }
}

function isSkipped(seen: Glance, line: Line): boolean {
  return seen.type === "event_msg" && isRepeatingLine(line, seen.inner) && !mayBeSpliced(line);
}

/** What one record's events may ask about being live. */
export function placeOf(
  plan: Pick<Plan, "isLive" | "originals">,
  facts: { readonly at: number; readonly past: boolean; readonly meta: boolean | undefined },
): Omit<Place, "number"> {
  const { at, past, meta } = facts;
  return {
    isLive: (copy) => meta ?? (!past && plan.isLive(at, copy)),
    repeats: (item) => plan.originals.get(at)?.[item] !== undefined,
  };
}

function orderDamage(numbers: Numbering, offset: number): readonly Damage[] {
  if (numbers.outOfOrder === undefined) return [];
  const kind = numbers.outOfOrder === "repeated" ? "duplicate_id" : "bad_id";
  return [{ kind, offset, recovered: 1, detail: "the ordinal does not go on" }];
}

function badRecord(offset: number, length: number): Damage {
  return { kind: "bad_record", offset, length, recovered: 0 };
}

/** For what is certain to be live: appended events, and the last ones where nothing was taken back. */
export const everythingLive: LivePlan = {
  isLive: () => true,
  originals: new Map(),
  liveEnds: [],
};
