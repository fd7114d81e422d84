import { type Bell, fileBell } from "../../base/bell.ts";
import { RepriseError } from "../../base/errors.ts";
import { encodeBatch } from "../../log/batch.ts";
import type { Draft } from "../../log/draft.ts";
import { mustSync, type SyncPolicy } from "../../log/durability.ts";
import { sumBefore } from "../../log/header.ts";
import {
  decodeLine,
  expectedSum,
  LineEncoder,
  type LinePrefix,
  metaAtOf,
  prefixOf,
  sumOf,
} from "../../log/line.ts";
import { type Seal, type Secret, sealOf } from "../../log/seal.ts";
import { checkDemand } from "../../log/seen.ts";
import { metaOfEvent, metaOfStart, type SessionMeta } from "../../log/session-meta.ts";
import type { TailState } from "../../log/tail.ts";
import type { Step } from "../../log/walk.ts";
import type { AppendOptions } from "../../log/writer-options.ts";
import type { Damage } from "../../model/damage.ts";
import type {
  EventFrame,
  EventId,
  ForkBase,
  SessionEvent,
  SessionStart,
} from "../../model/event.ts";
import { quietTypes } from "../../model/event-groups.ts";
import type { ReadRange } from "../contract.ts";
import { spillDraft } from "../draft.ts";
import { EventOpener } from "../event-opener.ts";
import { JoinedLog } from "../joined-log.ts";
import { checkDepth } from "../lineage.ts";
import { noSession } from "../log-store.ts";
import type { SessionLog, SessionVerification, Shape } from "../session-log.ts";
import { BlobRows } from "./blobs.ts";
import type { Database } from "./database.ts";
import {
  addLines,
  allLines,
  eventLines,
  type LineRow,
  lastLine,
  lineAt,
  lineAtOrBefore,
  type RowSegment,
  splitLines,
} from "./lines.ts";

/** How a session in a database is opened. */
export interface SqliteLogOptions {
  /** When an append is acknowledged; see docs/format.md. Default `turn`. */
  readonly sync?: SyncPolicy | undefined;
  /** Opens or makes sealed sessions. */
  readonly secret?: Secret | undefined;
}

const encoder = new LineEncoder();
const toTheEnd = Number.MAX_SAFE_INTEGER;

/** A session in the rows of a database. It holds nothing open: reads and appends ask the database each time. */
export class SqliteLog extends JoinedLog implements SessionLog {
  readonly file = undefined;
  readonly start: SessionStart & EventFrame;
  readonly #database: Database;
  readonly #options: SqliteLogOptions;
  readonly #tip: RowSegment;
  readonly #seal: Seal | undefined;
  readonly #blobs: BlobRows;
  readonly #opener: EventOpener;
  #segments: readonly RowSegment[] | undefined;

  constructor(database: Database, number: number, options: SqliteLogOptions) {
    super();
    this.#database = database;
    this.#options = options;
    const start = startIn(database, number);
    this.#seal = sealOf(start, options.secret);
    this.#blobs = new BlobRows(database, this.#seal?.blobs);
    this.#opener = new EventOpener(this.#seal, () => this.#blobs);
    const opened = this.#seal === undefined ? start : this.#opener.open(start, 0, ignore);
    this.start = opened?.type === "session_start" ? opened : start;
    this.#tip = segmentOf(number, start, toTheEnd);
  }

  get session(): string {
    return this.start.session;
  }

  lastId(): EventId {
    return lineAtOrBefore(this.#database, this.#tip, toTheEnd)?.id ?? this.start.id;
  }

  sizeBytes(): number {
    const last = lastLine(this.#database, this.#tip.number);
    return last === undefined ? 0 : last.offset + last.bytes.length;
  }

  meta(): SessionMeta {
    return this.#metaAt(this.#state().metaAt);
  }

  async append(
    drafts: readonly Draft[],
    options?: AppendOptions,
  ): Promise<readonly SessionEvent[]> {
    return this.appendSync(drafts, options);
  }

  appendSync(drafts: readonly Draft[], options: AppendOptions = {}): readonly SessionEvent[] {
    const { number } = this.#tip;
    this.#needKey();
    options.signal?.throwIfAborted();
    const policy = this.#options.sync ?? "turn";
    const isWaited = mustSync(
      policy,
      drafts.map(({ body }) => body as SessionEvent),
    );
    let knowsAll = false;
    const write = (): readonly SessionEvent[] => {
      this.#needThere();
      const state = this.#state();
      knowsAll = checkDemand(drafts, options, {
        last: state.lastId,
        isQuietSince: (id) => this.#isQuietSince(id),
      });
      if (drafts.length === 0) return [];
      const ready = drafts.map((draft) =>
        spillDraft(draft, (text) => this.#blobs.put(text, number)),
      );
      const meta = () => this.#metaAt(state.metaAt);
      const { bytes, events } = encodeBatch(encoder, ready, { state, meta, seal: this.#seal });
      addLines(this.#database, number, {
        offset: state.size,
        // The encoder's buffer is reused.
        lines: [...splitLines(Buffer.from(bytes))],
      });
      return events;
    };
    const events = this.#database.change(write, { sync: isWaited ? "full" : "normal" });
    const newest = events.at(-1);
    if (knowsAll && options.seen !== undefined && newest !== undefined)
      options.seen.last = newest.id;
    return events;
  }

  verify(): SessionVerification {
    const problems: Damage[] = [];
    const isOpened = this.start.seal === undefined || this.#seal !== undefined;
    let events = 0;
    let before: string | undefined;
    for (const segment of this.#lineage().toReversed()) {
      before ??= sumBefore(startIn(this.#database, segment.number));
      for (const { offset, bytes, id } of allLines(this.#database, segment)) {
        const line = bytes.subarray(0, -1);
        const event = id === null ? undefined : decodeLine(line);
        if (event === undefined) {
          if (line.toString("latin1").trim() !== "")
            problems.push({ kind: "bad_record", offset, recovered: 0, length: bytes.length });
          continue;
        }
        events += 1;
        const sum = sumOf(line);
        if (sum === undefined || expectedSum(line, before) !== sum)
          problems.push({ kind: "bad_sum", offset, recovered: 1, detail: `event ${id}` });
        before = sum ?? before;
        const report = (damage: Damage) => problems.push(damage);
        if (isOpened) this.#opener.open(event, offset, report);
        else this.#opener.inspect(event, offset, report);
      }
    }
    return { events, problems, isOpened };
  }

  has(event: EventId): boolean {
    return this.#find(event) !== undefined;
  }

  forkBase(at: EventId = this.lastId()): ForkBase | undefined {
    const found = this.#find(at);
    if (found === undefined) return undefined;
    const { row, segment, depth } = found;
    checkDepth(this.#lineage().length - depth);
    const sum = sumOf(row.bytes.subarray(0, -1));
    if (sum === undefined) return undefined;
    const endOffset = row.offset + row.bytes.length;
    return { session: segment.session, event: at, endOffset, sum };
  }

  /** What stays readable of its own events where they are sealed, newest first. */
  *newest(): Generator<LinePrefix> {
    for (const { bytes } of eventLines(this.#database, this.#tip, { reverse: true })) {
      const facts = prefixOf(bytes);
      if (facts !== undefined) yield facts;
    }
  }

  bell(signal?: AbortSignal): Bell {
    return fileBell(`${this.#database.path}-wal`, { signal });
  }

  async close(): Promise<void> {}

  protected override *rawPath(from: EventId | undefined): Generator<Step> {
    this.#needKey();
    let wanted = from ?? this.lastId();
    for (const segment of this.#lineage()) {
      while (wanted >= segment.firstId) {
        const row = lineAtOrBefore(this.#database, segment, wanted);
        if (row === undefined) break;
        const event = this.#decoded(row);
        if (event === undefined || row.id !== wanted) {
          const damage = { offset: row.offset, recovered: 0, detail: `event ${wanted}` };
          yield { kind: "damage", damage: { kind: "missing_parent", ...damage } };
        }
        if (event === undefined) {
          wanted = row.id! - 1;
          continue;
        }
        const damages: Damage[] = [];
        const opened = this.#opener.open(event, row.offset, (damage) => damages.push(damage));
        if (opened !== undefined) yield { kind: "event", event: opened, offset: row.offset };
        for (const damage of damages) yield { kind: "damage", damage };
        const parent = event.parent ?? 0;
        wanted = parent < event.id ? parent : event.id - 1;
      }
    }
  }

  /** Every event a range asks for, parts as they were written. */
  override *rawEvents(options: ReadRange): Generator<SessionEvent> {
    const { from, reverse = false, custom, onDamage = ignore } = options;
    this.#needKey();
    const segments = this.#lineage();
    for (const segment of reverse ? segments : segments.toReversed()) {
      for (const row of eventLines(this.#database, segment, { from, reverse, custom })) {
        const event = this.#decoded(row);
        const opened = event && this.#opener.open(event, row.offset, onDamage);
        if (event === undefined)
          onDamage({
            kind: "bad_record",
            offset: row.offset,
            recovered: 0,
            detail: `event ${row.id}`,
          });
        if (opened !== undefined) yield opened;
      }
    }
  }

  protected override *rawShapes(): Generator<Shape> {
    for (const segment of this.#lineage().toReversed()) {
      for (const { bytes } of eventLines(this.#database, segment, {})) {
        const shape = prefixOf(bytes);
        if (shape !== undefined) yield shape;
      }
    }
  }

  #decoded(row: LineRow): SessionEvent | undefined {
    return decodeLine(row.bytes.subarray(0, -1));
  }

  #find(
    event: EventId,
  ): { readonly row: LineRow; readonly segment: RowSegment; readonly depth: number } | undefined {
    const segments = this.#lineage();
    const depth = segments.findIndex(({ firstId }) => event >= firstId);
    const segment = segments[depth];
    const row = segment && lineAtOrBefore(this.#database, segment, event);
    return row?.id === event ? { row, segment: segment!, depth } : undefined;
  }

  /** Where the log ends. */
  #state(): TailState {
    const last = lastLine(this.#database, this.#tip.number);
    const row = last?.id == null ? lineAtOrBefore(this.#database, this.#tip, toTheEnd) : last;
    if (last === undefined || row === undefined) throw noSession(this.session);
    const line = row.bytes.subarray(0, -1);
    return {
      size: last.offset + last.bytes.length,
      lastId: row.id!,
      lastSum: sumOf(line) ?? "",
      metaAt: metaAtOf(line),
    };
  }

  #metaAt(offset: number | undefined): SessionMeta {
    const known = metaOfStart(this.start);
    const row = offset === undefined ? undefined : lineAt(this.#database, this.#tip.number, offset);
    const event = row && this.#decoded(row);
    const opened = event && this.#opener.open(event, row.offset, ignore);
    return opened?.type === "meta" ? { ...known, ...metaOfEvent(opened) } : known;
  }

  #isQuietSince(after: EventId): boolean {
    for (const { id, bytes } of eventLines(this.#database, this.#tip, { reverse: true })) {
      if (id! <= after) return true;
      if (!quietTypes.has(prefixOf(bytes)?.type ?? "")) return false;
    }
    return false;
  }

  /** The session's rows, then those of what it was forked from, to the root. */
  #lineage(): readonly RowSegment[] {
    if (this.#segments !== undefined) return this.#segments;
    const segments = [this.#tip];
    for (let { base } = this.start; base !== undefined; ) {
      checkDepth(segments.length);
      const number = numberOf(this.#database, base.session, { removed: true });
      if (number === undefined) {
        throw new RepriseError("not_found", `The base session ${base.session} is missing.`);
      }
      const start = startIn(this.#database, number);
      segments.push(segmentOf(number, start, base.endOffset));
      base = start.base;
    }
    this.#segments = segments;
    return segments;
  }

  #needKey(): void {
    if (this.start.seal === undefined || this.#seal !== undefined) return;
    throw new RepriseError("sealed", `Session ${this.session} is sealed.`);
  }

  #needThere(): void {
    const number = numberOf(this.#database, this.session);
    if (number !== this.#tip.number) throw noSession(this.session);
  }
}

function ignore(): void {}

function segmentOf(number: number, { session, base }: SessionStart, endOffset: number): RowSegment {
  return { session, number, firstId: (base?.event ?? 0) + 1, endOffset };
}

/** The number of a session's rows; of one that was removed only where its forks are asked for. */
export function numberOf(
  database: Database,
  session: string,
  options: { readonly removed?: boolean } = {},
): number | undefined {
  const row = database.first<{ readonly number: number; readonly isRemoved: number }>(
    "select number, isRemoved from session where id = ?",
    session,
  );
  return row === undefined || (row.isRemoved === 1 && !options.removed) ? undefined : row.number;
}

function startIn(database: Database, number: number): SessionStart & EventFrame {
  const row = lineAt(database, number, 0);
  const event = row && decodeLine(row.bytes.subarray(0, -1));
  if (event?.type === "session_start") return event;
  throw new RepriseError("not_a_session", `The first line of session ${number} is lost.`);
}
