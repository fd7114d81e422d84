import { Bell } from "../base/bell.ts";
import { isoNow } from "../base/clock.ts";
import type { Draft } from "../log/draft.ts";
import { checkDemand } from "../log/seen.ts";
import { metaOfStart, type SessionMeta } from "../log/session-meta.ts";
import type { Step } from "../log/walk.ts";
import type { AppendOptions } from "../log/writer-options.ts";
import type { EventFrame, EventId, ForkBase, SessionEvent, SessionStart } from "../model/event.ts";
import { quietTypes } from "../model/event-groups.ts";
import { JoinedLog } from "./joined-log.ts";
import { eventsOf } from "./next-events.ts";
import type { EventsOptions, SessionLog, SessionVerification, Shape } from "./session-log.ts";

/** A session in memory: the same rules, nothing on the disk. For tests and `persistence: "none"`. */
export function memoryLog(start: SessionStart, base: readonly SessionEvent[] = []): SessionLog {
  return new MemoryLog(start, base);
}

/** The events that a fork of a log in memory shares with it. */
export function eventsUpTo(log: SessionLog, last: EventId): readonly SessionEvent[] {
  return [...log.events({ raw: true })].filter(({ id }) => id <= last);
}

class MemoryLog extends JoinedLog implements SessionLog {
  readonly file = undefined;
  readonly start: SessionStart & EventFrame;
  readonly #events: SessionEvent[];
  readonly #bells = new Set<Bell>();
  #meta: SessionMeta;
  #sizeBytes = 0;

  constructor(start: SessionStart, base: readonly SessionEvent[]) {
    super();
    const last = base.at(-1);
    const id = (last?.id ?? 0) + 1;
    this.start = { id, ...(last !== undefined && { parent: last.id }), at: isoNow(), ...start };
    this.#events = [...base, this.start];
    this.#meta = metaOfStart(start);
  }

  get session(): string {
    return this.start.session;
  }

  lastId(): EventId {
    return this.#events.at(-1)!.id;
  }

  sizeBytes(): number {
    return this.#sizeBytes;
  }

  meta(): SessionMeta {
    return this.#meta;
  }

  async append(
    drafts: readonly Draft[],
    options?: AppendOptions,
  ): Promise<readonly SessionEvent[]> {
    return this.appendSync(drafts, options);
  }

  appendSync(drafts: readonly Draft[], options: AppendOptions = {}): readonly SessionEvent[] {
    const last = this.lastId();
    const knowsAll = checkDemand(drafts, options, {
      last,
      isQuietSince: (id) => this.#isQuietSince(id),
    });
    const { events, meta } = eventsOf(drafts, { last, meta: this.#meta });
    this.#meta = meta;
    for (const event of events) {
      this.#events.push(event);
      this.#sizeBytes += JSON.stringify(event).length;
    }
    if (knowsAll && options.seen !== undefined) options.seen.last = this.lastId();
    for (const bell of this.#bells) bell.ring();
    return events;
  }

  protected override *rawPath(from: EventId | undefined): Generator<Step> {
    let wanted = from ?? this.lastId();
    for (let index = this.#events.length - 1; index >= 0; index -= 1) {
      const event = this.#events[index]!;
      if (event.id !== wanted) continue;
      yield { kind: "event", event };
      wanted = event.parent ?? 0;
    }
  }

  protected override *rawEvents(options: EventsOptions): Generator<SessionEvent> {
    const { from, reverse = false } = options;
    const ordered = reverse ? this.#events.toReversed() : this.#events;
    for (const event of ordered) {
      if (from === undefined || (reverse ? event.id <= from : event.id >= from)) yield event;
    }
  }

  protected override *rawShapes(): Generator<Shape> {
    for (const { id, parent, type } of this.#events) yield { id, parent, type };
  }

  verify(): SessionVerification {
    return { events: this.#events.length, problems: [], isOpened: true };
  }

  has(event: EventId): boolean {
    return this.#events.some(({ id }) => id === event);
  }

  forkBase(at: EventId = this.lastId()): ForkBase | undefined {
    if (!this.has(at)) return undefined;
    return { session: this.session, event: at, endOffset: 0, sum: "" };
  }

  bell(signal?: AbortSignal): Bell {
    const bell = new Bell({ signal });
    const { stop } = bell;
    this.#bells.add(bell);
    bell.stop = () => {
      this.#bells.delete(bell);
      stop.call(bell);
    };
    return bell;
  }

  async close(): Promise<void> {}

  #isQuietSince(after: EventId): boolean {
    return !this.#events.some(({ id, type }) => id > after && !quietTypes.has(type));
  }
}
