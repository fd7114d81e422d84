import { limits } from "../../../base/limits.ts";
import type { Damage } from "../../../model/damage.ts";
import type { AgentEvent } from "../../contract.ts";
import type { EventMaker, RecordPlace } from "./events.ts";
import { type Span, spanStride } from "./lineage.ts";
import { isPastEnd, type LivePath } from "./live-path.ts";
import { type Numbering, numbering } from "./numbering.ts";
import { rolloutLines } from "./rollout-lines.ts";

/** A place in the files of a session where reading can go on. */
export interface WalkPlace {
  readonly span: number;
  readonly offset: number;
  /** Whole lines before the offset. */
  readonly line: number;
  readonly highest: number;
}

/** Some events, and the place behind them. */
export interface WalkedBatch {
  readonly events: readonly AgentEvent[];
  readonly damage: readonly Damage[];
  readonly place: WalkPlace;
  /** Nothing comes after it. */
  readonly end: boolean;
}

/** What of a live path is asked on the way. */
export type LiveTest = Pick<LivePath, "isLive" | "originals" | "liveEnds">;

/** Reads the files of a session from a place on, in native order, in batches. */
export function* walk(
  spans: readonly Span[],
  options: {
    readonly from: WalkPlace;
    readonly path: LiveTest;
    readonly allBranches: boolean;
    readonly maker: EventMaker;
  },
): Generator<WalkedBatch> {
  const { from, path, maker } = options;
  for (let index = from.span; index < spans.length; index += 1) {
    const span = spans[index]!;
    const begin = index === from.span ? from : { span: index, offset: 0, line: 0, highest: 0 };
    const whole = options.allBranches && span.sameThread;
    const liveEnd = path.liveEnds[index] ?? span.file.sizeBytes;
    const end = whole ? span.file.sizeBytes : liveEnd;
    const numbers = numbering(span, { highest: begin.highest });
    let damage: Damage[] = [];
    let line = begin.line;
    let bytes = 0;
    let metaSeen = begin.line > 0;
    let place: WalkPlace = begin;
    for (const found of rolloutLines(span.file, { from: begin.offset, end })) {
      if (!whole && isPastEnd(span, found)) break;
      line += 1;
      const next = found.offset + found.length;
      const past = found.offset >= liveEnd;
      damage.push(...found.damage);
      for (const [twin, record] of found.records.entries()) {
        const spot = { line, offset: found.offset, index: twin };
        const number = numbers.next(record.ordinal, spot);
        damage.push(...orderDamage(numbers, found.offset));
        const at = index * spanStride + found.offset;
        // The first one is the thread's own; a legacy fork copies its parent's behind it.
        const isMeta = record.type === "session_meta";
        const isOwn = isMeta && span.own && !metaSeen;
        metaSeen ||= isMeta;
        const live = placeOf(path, { at, past, meta: isMeta ? isOwn : undefined });
        maker.take(record, { ...live, number });
      }
      bytes += found.length;
      // An unfinished line is read if it is whole, and looked at again if it is not.
      if (found.complete) place = { span: index, offset: next, line, highest: numbers.highest };
      else if (maker.ready.length > 0 && damage.at(-1)?.kind !== "torn_tail") {
        place = { span: index, offset: next, line: line - 1, highest: numbers.highest };
      }
      const full = maker.ready.length >= limits.batchEvents || bytes >= limits.batchBytes;
      if (full && maker.settled && found.complete) {
        yield { events: maker.ready.splice(0), damage, place, end: false };
        damage = [];
        bytes = 0;
      }
    }
    // A response never continues in another file.
    maker.end();
    const isLast = index === spans.length - 1;
    yield { events: maker.ready.splice(0), damage, place, end: isLast };
  }
}

/** What one record's events may ask about being live. */
export function placeOf(
  path: Pick<LivePath, "isLive" | "originals">,
  facts: { readonly at: number; readonly past: boolean; readonly meta: boolean | undefined },
): Omit<RecordPlace, "number"> {
  const { at, past, meta } = facts;
  return {
    isLive: (copy) => meta ?? (!past && path.isLive(at, copy)),
    repeats: (item) => path.originals.get(at)?.[item] !== undefined,
  };
}

function orderDamage(numbers: Numbering, offset: number): readonly Damage[] {
  if (numbers.outOfOrder === undefined) return [];
  const kind = numbers.outOfOrder === "repeated" ? "duplicate_id" : "bad_id";
  return [{ kind, offset, recovered: 1, detail: "the ordinal does not continue" }];
}

/** For what is certain to be live: appended events, and the last ones where nothing was taken back. */
export const everythingLive: LiveTest = {
  isLive: () => true,
  originals: new Map(),
  liveEnds: [],
};
