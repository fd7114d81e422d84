import { proofBefore } from "../../../jsonl/proof.ts";
import type { Damage } from "../../../model/damage.ts";
import type { AgentEvent, ReadBatch } from "../../contract.ts";
import { type CursorState, cursorText } from "./cursor.ts";
import { type Translator, type TranslatorState, translator } from "./events.ts";
import { eventsAt, keptEvents, recordsAt, stateAtBase } from "./kept-events.ts";
import { type Lineage, type Span, spanStride } from "./lineage.ts";
import { type Plan, planOf } from "./live-path.ts";
import { rolloutLines } from "./rollout-lines.ts";
import { type StreamPlace, stream } from "./walk.ts";

interface Session {
  readonly spans: readonly Span[];
  readonly plan: Plan;
  readonly allBranches: boolean;
}

/**
 * Reads a session by its plan: everything in native order, or what is live in the order of the
 * replay, which begins with what the newest compaction kept. Goes on from a cursor if nothing that
 * was read before it has changed, else from the start, and then says `restart`.
 */
export function* wholeRead(
  lineage: Lineage,
  options: {
    readonly allBranches: boolean;
    /** The caller has read some of it before; without a cursor it has to forget that. */
    readonly resumed?: { readonly cursor: CursorState | undefined };
    /** Where only the end of the newest file is read: what is live there, and from where. */
    readonly end?: { readonly plan: Plan; readonly begin: ReadBegin };
  },
): Generator<ReadBatch> {
  const { spans } = lineage;
  const { allBranches } = options;
  const plan = options.end?.plan ?? planOf(spans);
  const session = { spans, plan, allBranches };
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

function usable(session: Session, cursor: CursorState | undefined): CursorState | undefined {
  if (cursor === undefined || cursor.done) return undefined;
  const span = session.spans[cursor.span];
  const unchanged =
    span !== undefined &&
    span.path === cursor.file &&
    cursor.allBranches === session.allBranches &&
    cursor.changedAt === session.plan.changedAt &&
    cursor.offset <= span.file.sizeBytes &&
    proofBefore(span.file.fd, cursor.offset) === cursor.hash;
  return unchanged ? cursor : undefined;
}

/** A place to begin at, and what a translator has to know there. */
export interface ReadBegin {
  readonly place: StreamPlace;
  readonly state: TranslatorState;
}

function* batchesFrom(
  session: Session,
  cursor: CursorState | undefined,
  begin: ReadBegin | undefined,
): Generator<ReadBatch> {
  const { spans, plan, allBranches } = session;
  const base = allBranches ? undefined : plan.base;
  let place: StreamPlace = cursor ?? begin?.place ?? { span: 0, offset: 0, line: 0, highest: 0 };
  let going: Translator;
  if (base !== undefined && (cursor === undefined || cursor.kept !== undefined)) {
    place = behind(spans, plan);
    going = translator(stateAtBase(spans, plan));
    yield* keptBatches(session, { from: cursor?.kept ?? 0, place, going });
  } else going = translator(cursor?.state ?? begin?.state);
  const how = { from: place, plan, allBranches, translator: going };
  for (const batch of stream(spans, how)) {
    yield batchOf(session, { ...batch, going });
  }
}

const keptPerBatch = 64;

/** What the compaction kept, after the session's own metadata. */
function* keptBatches(
  session: Session,
  options: { readonly from: number; readonly place: StreamPlace; readonly going: Translator },
): Generator<ReadBatch> {
  const { spans, plan } = session;
  const { place, going } = options;
  const begin = place.span * spanStride + place.offset;
  let damage: readonly Damage[] = [];
  let events: AgentEvent[] = [];
  if (options.from === 0) {
    events = [...ownMeta(session)];
    // What lies before the base is not read again, so its damage is told here.
    damage = plan.damage.filter(({ at }) => at < begin).map(({ at: _at, ...one }) => one);
  }
  for (const kept of keptEvents(spans, { plan, from: options.from })) {
    events.push(...kept.events);
    if (events.length < keptPerBatch) continue;
    yield batchOf(session, { events, damage, place, going, kept: kept.index + 1, end: false });
    events = [];
    damage = [];
  }
  const kept = plan.base?.items.length ?? 0;
  if (events.length > 0 || damage.length > 0) {
    yield batchOf(session, { events, damage, place, going, kept, end: false });
  }
}

function ownMeta(session: Session): readonly AgentEvent[] {
  const { spans, plan } = session;
  const position = { at: (spans.length - 1) * spanStride, line: 1 };
  // Behind the base it is met on the way.
  if (plan.base === undefined || position.at > plan.base.at.at) return [];
  if (recordsAt(spans, position)[0]?.type !== "session_meta") return [];
  return eventsAt(spans, { position, plan, meta: true });
}

/** The place right behind the compaction that everything live stands on. */
function behind(spans: readonly Span[], plan: Plan): StreamPlace {
  const { at, line } = plan.base!.at;
  const span = Math.floor(at / spanStride);
  const { sizeBytes } = spans[span]!.file;
  let offset = at % spanStride;
  for (const found of rolloutLines(spans[span]!.file, { from: offset, end: sizeBytes })) {
    offset += found.length;
    break;
  }
  const ordinal = recordsAt(spans, plan.base!.at).at(-1)?.ordinal;
  return { span, offset, line, highest: ordinal === undefined ? 0 : ordinal + 1 };
}

/** Makes a batch: events the caller asked for, and a cursor for the place behind them. */
export function batchOf(
  session: Pick<Session, "spans" | "allBranches"> & { readonly plan: Pick<Plan, "changedAt"> },
  facts: {
    readonly events: readonly AgentEvent[];
    readonly damage: readonly Damage[];
    readonly place: StreamPlace;
    readonly going: Translator;
    readonly end: boolean;
    readonly kept?: number;
  },
): ReadBatch {
  const { spans, plan, allBranches } = session;
  const { place, going, kept } = facts;
  const span = spans[place.span]!;
  const cursor: CursorState = {
    file: span.path,
    span: place.span,
    offset: place.offset,
    line: place.line,
    highest: place.highest,
    hash: proofBefore(span.file.fd, place.offset),
    size: spans.at(-1)!.file.sizeBytes,
    done: facts.end,
    allBranches,
    paginated: span.paginated,
    changedAt: plan.changedAt,
    state: going.state(),
    ...(kept !== undefined && { kept }),
  };
  const unknown = Object.fromEntries(going.unknown);
  const counted = going.unknown.size > 0;
  going.unknown.clear();
  return {
    events: allBranches ? facts.events : facts.events.filter((event) => event.live),
    damage: facts.damage,
    cursor: cursorText(cursor),
    ...(counted && { unknown }),
  };
}
