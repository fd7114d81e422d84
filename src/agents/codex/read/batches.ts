import { proofBefore } from "../../../jsonl/proof.ts";
import type { Damage } from "../../../model/damage.ts";
import type { AgentEvent, ReadBatch } from "../../contract.ts";
import { type CursorState, encodeCursor } from "./cursor.ts";
import type { EventMaker } from "./events.ts";
import type { Span } from "./lineage.ts";
import type { LivePath } from "./live-path.ts";
import type { WalkPlace } from "./walk.ts";

/** The files of a session, what is live of them, and what the caller wants. */
export interface ReadSession {
  readonly spans: readonly Span[];
  readonly path: LivePath;
  readonly allBranches: boolean;
}

/** Makes a batch: events the caller asked for, and a cursor for the place behind them. */
export function batchOf(
  session: Pick<ReadSession, "spans" | "allBranches"> & {
    readonly path: Pick<LivePath, "changedAt">;
  },
  facts: {
    readonly events: readonly AgentEvent[];
    readonly damage: readonly Damage[];
    readonly place: WalkPlace;
    readonly maker: EventMaker;
    readonly end: boolean;
    readonly kept?: number;
  },
): ReadBatch {
  const { spans, path, allBranches } = session;
  const { place, maker, kept } = facts;
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
    changedAt: path.changedAt,
    state: maker.state(),
    ...(kept !== undefined && { kept }),
  };
  const unknown = Object.fromEntries(maker.unknown);
  const counted = maker.unknown.size > 0;
  maker.unknown.clear();
  return {
    events: allBranches ? facts.events : facts.events.filter((event) => event.live),
    damage: facts.damage,
    cursor: encodeCursor(cursor),
    ...(counted && { unknown }),
  };
}
