import { isRepriseError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type { Damage } from "../../model/damage.ts";
import type { AgentEvent, ReadBatch, ReadOptions, SessionRef } from "../contract.ts";
import { isTreeRef } from "./locate.ts";
import { decodeCursor, encodeCursor, eventHash, eventsHash, type Position } from "./read/cursor.ts";
import { DatabaseSource } from "./read/database-source.ts";
import { messageEvents } from "./read/events.ts";
import { TreeSource } from "./read/file-source.ts";
import { type Liveness, livenessKey, livenessOf } from "./read/live-path.ts";
import { sessionEvents } from "./read/session-events.ts";
import { addStamps, type Source, shapeDamage } from "./read/source.ts";

/** How a database is read: as the program does, else table by table, else page by page. */
const ways = ["index", "table", "page"] as const;

type Way = (typeof ways)[number] | "file";

/** Events of one batch; memory is bounded by its bytes as well. */
const batchEvents = 256;

/**
 * A session's events in native order. A database that turns out damaged on the way is read again from
 * the beginning, row by row around the damage (P2); the first batch of that says `restart`.
 */
export async function* read(ref: SessionRef, options: ReadOptions = {}): AsyncGenerator<ReadBatch> {
  let told = false;
  let failure: unknown;
  for (const by of isTreeRef(ref) ? (["file"] as const) : ways) {
    const pass = new Pass(ref, options, { by, restart: told, failure });
    try {
      for (const batch of pass.batches()) {
        told = true;
        yield batch;
      }
      return;
    } catch (error) {
      if (isRepriseError(error, "no_sqlite")) throw error;
      // Nothing is there, or no way is left.
      if (isRepriseError(error, "not_found") || by === ways.at(-1) || by === "file") {
        yield pass.failed(error);
        return;
      }
      failure = error;
    } finally {
      pass.close();
    }
  }
}

/** The session as it is now. */
interface Now {
  readonly liveness: Liveness;
  readonly key: string;
  readonly side: string;
}

/** Where a read begins. */
interface Begin {
  readonly at: Pick<Position, "index" | "before" | "told">;
  /** How many of the session's own events are told, counted from their end. */
  readonly own: number;
}

/** One attempt at reading a session. */
class Pass {
  readonly #ref: SessionRef;
  readonly #options: ReadOptions;
  readonly #by: Way;
  #restart: boolean;
  #source: Source | undefined;
  #events: AgentEvent[] = [];
  #damage: Damage[] = [];
  #unknown: Record<string, number> = {};
  #bytes = 0;
  #last: string | undefined;
  #lastLive: string | undefined;

  constructor(
    ref: SessionRef,
    options: ReadOptions,
    how: { readonly by: Way; readonly restart: boolean; readonly failure: unknown },
  ) {
    this.#ref = ref;
    this.#options = options;
    this.#by = how.by;
    this.#restart = how.restart;
    // Also where every row is found in the end: the program itself would fail here.
    if (how.failure !== undefined) this.#damage.push(damageOf(how.failure));
  }

  *batches(): Generator<ReadBatch> {
    const source = openSource(this.#ref, this.#by);
    this.#source = source;
    this.#damage.push(...source.damage);
    const liveness = livenessOf(source);
    const key = livenessKey(liveness, source.count);
    const own = sessionEvents(source, this.#ref);
    const side = eventsHash(own);
    const begin = this.#begin(source, { liveness, key, side });
    for (const event of own.slice(own.length - Math.min(begin.own, own.length))) this.#tell(event);
    let { before } = begin.at;
    let position: Position = { ...begin.at, liveness: key, side };
    for (let index = begin.at.index; index < source.count; index += 1) {
      const message = source.message(index);
      if (message === undefined) continue;
      this.#damage.push(...message.damage);
      // A message whose own data is lost was told already; its shape would only say it again.
      if (message.damage.length === 0) this.#damage.push(...shapeDamage(message.native, index + 1));
      const { events, unknown } = messageEvents(message, {
        source,
        index,
        liveness,
        ...this.#root(),
      });
      for (const [type, count] of Object.entries(unknown)) {
        this.#unknown[type] = (this.#unknown[type] ?? 0) + count;
      }
      const skip = index === begin.at.index ? begin.at.told.length : 0;
      for (const event of events.slice(skip)) this.#tell(event);
      this.#bytes += message.bytes;
      position = { index, before, told: [], liveness: key, side };
      before = addStamps(before, message.stamp);
      const isFull = this.#events.length >= batchEvents || this.#bytes >= limits.chunkBytes;
      const isLast = index === source.count - 1;
      if (isFull || isLast) position = { ...position, told: events.map(eventHash) };
      if (isFull && !isLast) yield this.#flush(position);
    }
    yield this.#flush(position);
  }

  /** What is told when nothing more can be read. */
  failed(error: unknown): ReadBatch {
    this.#damage.push(damageOf(error));
    const before = { parts: -1, times: 0 };
    return this.#flush({ index: 0, before, told: [], liveness: "", side: "" });
  }

  close(): void {
    this.#source?.close();
  }

  /** Where to begin: after the cursor if what lies before it is as it was, else at the beginning. */
  #begin(source: Source, now: Now): Begin {
    const { from, last } = this.#options;
    if (last !== undefined && from === undefined) {
      return this.#lastBegin(source, { ...now, last: Math.max(0, Math.trunc(last)) });
    }
    const known = from === undefined ? undefined : decodeCursor(from);
    if (known !== undefined && this.#stillHolds(source, known, now)) {
      this.#last = known.last;
      this.#lastLive = known.lastLive;
      return { at: known, own: known.side === now.side ? 0 : Number.POSITIVE_INFINITY };
    }
    if (from !== undefined) this.#restart = true;
    const index = this.#firstWanted(now);
    return { at: { index, before: source.stamp(index), told: [] }, own: Number.POSITIVE_INFINITY };
  }

  /** What a compaction hides is not even fetched unless all branches are asked for (P5). */
  #firstWanted({ liveness }: Now): number {
    return this.#options.allBranches === true ? 0 : liveness.from;
  }

  #stillHolds(source: Source, known: Position, now: Now): boolean {
    if (known.liveness !== now.key || this.#by === "table" || this.#by === "page") return false;
    if (known.index > 0 && known.index >= source.count) return false;
    const { parts, times } = source.stamp(known.index);
    if (parts !== known.before.parts || times !== known.before.times) return false;
    if (known.told.length === 0) return true;
    const message = source.message(known.index);
    if (message === undefined) return false;
    const place = { source, index: known.index, liveness: now.liveness, ...this.#root() };
    const hashes = messageEvents(message, place).events.map(eventHash);
    return known.told.every((hash, index) => hashes[index] === hash);
  }

  /** Walks back until enough events are counted; they are then read forward from there. */
  #lastBegin(source: Source, now: Now & { readonly last: number }): Begin {
    const first = this.#firstWanted(now);
    let wanted = now.last;
    let index = source.count;
    let told: readonly string[] = [];
    while (wanted > 0 && index > first) {
      index -= 1;
      const message = source.message(index);
      if (message === undefined) continue;
      const place = { source, index, liveness: now.liveness, ...this.#root() };
      const { events } = messageEvents(message, place);
      const counted = events.filter((event) => this.#wants(event));
      const earliest = counted[counted.length - wanted];
      if (earliest !== undefined) told = events.slice(0, events.indexOf(earliest)).map(eventHash);
      wanted -= counted.length;
    }
    return { at: { index, before: source.stamp(index), told }, own: Math.max(0, wanted) };
  }

  #wants(event: AgentEvent): boolean {
    return event.live || this.#options.allBranches === true;
  }

  #tell(event: AgentEvent): void {
    const parent = event.live ? this.#lastLive : this.#last;
    // The session's own events stand beside the conversation, not before it.
    const isOwn = event.number.startsWith("0");
    if (this.#wants(event)) {
      this.#events.push(isOwn || parent === undefined ? event : { ...event, parent });
    }
    if (isOwn) return;
    this.#last = event.number;
    if (event.live) this.#lastLive = event.number;
  }

  #flush(position: Position): ReadBatch {
    const { lastLive, last } = { last: this.#last, lastLive: this.#lastLive };
    const cursor = encodeCursor({
      ...position,
      ...(last === undefined ? {} : { last }),
      ...(lastLive === undefined ? {} : { lastLive }),
    });
    const batch: ReadBatch = {
      events: this.#events,
      damage: this.#damage,
      cursor,
      ...(this.#restart ? { restart: true } : {}),
      ...(Object.keys(this.#unknown).length > 0 ? { unknown: this.#unknown } : {}),
    };
    this.#events = [];
    this.#damage = [];
    this.#unknown = {};
    this.#bytes = 0;
    this.#restart = false;
    return batch;
  }

  #root(): { readonly root?: string } {
    return this.#ref.root === undefined ? {} : { root: this.#ref.root };
  }
}

function damageOf(error: unknown): Damage {
  const kind = isRepriseError(error, "not_found") ? "missing_file" : "database";
  const detail = error instanceof Error ? error.message : String(error);
  return { kind, offset: 0, recovered: 0, detail };
}

function openSource(ref: SessionRef, by: Way): Source {
  if (by === "file") return new TreeSource(ref.path);
  const session = ref.part ?? ref.session;
  return new DatabaseSource(ref.path, {
    session,
    salvage: by === "table",
    rebuilt: by === "page",
  });
}
