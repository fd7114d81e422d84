import { proofBefore } from "../../../jsonl/proof.ts";
import type { Damage } from "../../../model/damage.ts";
import type { AgentEvent, ReadBatch } from "../../contract.ts";
import { batchOf, type ReadSession } from "./batches.ts";
import type { CursorState } from "./cursor.ts";
import { type EventMaker, type EventMakerState, eventMaker } from "./events.ts";
import { eventsAt, keptEvents, recordsAt, stateAtBase } from "./kept-events.ts";
import { type Lineage, type Span, spanStride } from "./lineage.ts";
import { type LivePath, livePath } from "./live-path.ts";
import { rolloutLines } from "./rollout-lines.ts";
import { type WalkPlace, walk } from "./walk.ts";

/**
 * Reads a session by its live path: everything in native order, or what is live in the order of the
 * replay, which begins with what the newest compaction kept. Goes on from a cursor if nothing that
 * was read before it has changed, else from the start, and then says `restart`.
 */
export function* readWhole(
  lineage: Lineage,
  options: {
    readonly allBranches: boolean;
    /** The caller has read some of it before; without a cursor it has to forget that. */
    readonly resumed?: { readonly cursor: CursorState | undefined };
    /** Where only the end of the newest file is read: what is live there, and from where. */
    readonly end?: { readonly path: LivePath; readonly begin: ReadBegin };
  },
): Generator<ReadBatch> {
  const { spans } = lineage;
  const { allBranches } = options;
  const path = options.end?.path ?? livePath(spans);
  const session = { spans, path, allBranches };
  const cursor = usable(session, options.resumed?.cursor);
  const restart = options.resumed !== undefined && cursor === undefined;
  let told: readonly Damage[] = cursor === undefined ? lineage.damage : [];
  for (const batch of batchesFrom(session, cursor, options.end?.begin)) {
    const damage = told.length === 0 ? batch.damage : [...told, ...batch.damage];
    const first = told === lineage.damage;
    yield first && restart ? { ...batch, damage, restart: true } : { ...batch, damage };
    told = [];
  }
}

function usable(session: ReadSession, cursor: CursorState | undefined): CursorState | undefined {
  if (cursor === undefined || cursor.done) return undefined;
  const span = session.spans[cursor.span];
  const unchanged =
    span !== undefined &&
    span.path === cursor.file &&
    cursor.allBranches === session.allBranches &&
    cursor.changedAt === session.path.changedAt &&
    cursor.offset <= span.file.sizeBytes &&
    proofBefore(span.file.fd, cursor.offset) === cursor.hash;
  return unchanged ? cursor : undefined;
}

/** A place to begin at, and what making events needs to know there. */
export interface ReadBegin {
  readonly place: WalkPlace;
  readonly state: EventMakerState;
}

function* batchesFrom(
  session: ReadSession,
  cursor: CursorState | undefined,
  begin: ReadBegin | undefined,
): Generator<ReadBatch> {
  const { spans, path, allBranches } = session;
  const base = allBranches ? undefined : path.base;
  let place: WalkPlace = cursor ?? begin?.place ?? { span: 0, offset: 0, line: 0, highest: 0 };
  let maker: EventMaker;
  if (base !== undefined && (cursor === undefined || cursor.kept !== undefined)) {
    place = behind(spans, path);
    maker = eventMaker(stateAtBase(spans, path));
    yield* keptBatches(session, { from: cursor?.kept ?? 0, place, maker });
  } else maker = eventMaker(cursor?.state ?? begin?.state);
  const how = { from: place, path, allBranches, maker };
  for (const batch of walk(spans, how)) {
    yield batchOf(session, { ...batch, maker });
  }
}

const keptPerBatch = 64;

/** What the compaction kept, after the session's own metadata. */
function* keptBatches(
  session: ReadSession,
  options: { readonly from: number; readonly place: WalkPlace; readonly maker: EventMaker },
): Generator<ReadBatch> {
  const { spans, path } = session;
  const { place, maker } = options;
  const begin = place.span * spanStride + place.offset;
  let damage: readonly Damage[] = [];
  let events: AgentEvent[] = [];
  if (options.from === 0) {
    events = [...ownMeta(session)];
    // What lies before the base is not read again, so its damage is reported here.
    damage = path.damage.filter(({ at }) => at < begin).map(({ at: _at, ...one }) => one);
  }
  for (const kept of keptEvents(spans, { path, from: options.from })) {
    events.push(...kept.events);
    if (events.length < keptPerBatch) continue;
    yield batchOf(session, { events, damage, place, maker, kept: kept.index + 1, end: false });
    events = [];
    damage = [];
  }
  const kept = path.base?.items.length ?? 0;
  if (events.length > 0 || damage.length > 0) {
    yield batchOf(session, { events, damage, place, maker, kept, end: false });
  }
}

function ownMeta(session: ReadSession): readonly AgentEvent[] {
  const { spans, path } = session;
  const position = { at: (spans.length - 1) * spanStride, line: 1 };
  // Behind the base it is met on the way.
  if (path.base === undefined || position.at > path.base.at.at) return [];
  if (recordsAt(spans, position)[0]?.type !== "session_meta") return [];
  return eventsAt(spans, { position, path, meta: true });
}

/** The place right behind the compaction that everything live stands on. */
function behind(spans: readonly Span[], path: LivePath): WalkPlace {
  const { at, line } = path.base!.at;
  const span = Math.floor(at / spanStride);
  const { sizeBytes } = spans[span]!.file;
  let offset = at % spanStride;
  for (const found of rolloutLines(spans[span]!.file, { from: offset, end: sizeBytes })) {
    offset += found.length;
    break;
  }
  const ordinal = recordsAt(spans, path.base!.at).at(-1)?.ordinal;
  return { span, offset, line, highest: ordinal === undefined ? 0 : ordinal + 1 };
}
