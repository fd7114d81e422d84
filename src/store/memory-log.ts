import { isoNow } from "../base/clock.ts";
import { RepriseError } from "../base/errors.ts";
import type { Draft } from "../log/draft.ts";
import { encodeBody } from "../log/line.ts";
import { mergeMeta, metaOfEvent, metaOfStart, type SessionMeta } from "../log/session-meta.ts";
import type { Step } from "../log/walk.ts";
import type { AppendOptions } from "../log/writer-options.ts";
import {
  type EventFrame,
  type EventId,
  type ForkBase,
  quietTypes,
  type SessionEvent,
  type SessionStart,
} from "../model/event.ts";
import type { EventsOptions, SessionLog, SessionVerification, Shape } from "./session-log.ts";

/** A session in memory: the same rules, nothing on the disk. For tests and `persistence: "none"`. */
export function memoryLog(start: SessionStart, base: readonly SessionEvent[] = []): SessionLog {
  return new MemoryLog(start, base);
}

class MemoryLog implements SessionLog {
  readonly file = undefined;
  readonly start: SessionStart & EventFrame;
  readonly #events: SessionEvent[];
  #meta: SessionMeta;
  #sizeBytes = 0;

  constructor(start: SessionStart, base: readonly SessionEvent[]) {
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
    this.#checkAfter(options.after);
    return drafts.map((draft) => this.#add(draft));
  }

  *path(from?: EventId): Generator<Step> {
    let wanted = from ?? this.lastId();
    for (let index = this.#events.length - 1; index >= 0; index -= 1) {
      const event = this.#events[index]!;
      if (event.id !== wanted) continue;
      yield { kind: "event", event };
      wanted = event.parent ?? 0;
    }
  }

  *events(options: EventsOptions = {}): Generator<SessionEvent> {
    const { from, reverse = false } = options;
    const ordered = reverse ? this.#events.toReversed() : this.#events;
    for (const event of ordered) {
      if (from === undefined || (reverse ? event.id <= from : event.id >= from)) yield event;
    }
  }

  *shapes(): Generator<Shape> {
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

  async close(): Promise<void> {}

  #add(draft: Draft): SessionEvent {
    // The same copy a file would give back: later changes to the caller's object do not reach it.
    let body = JSON.parse(draft.json ?? encodeBody(draft.body)) as typeof draft.body;
    if (body.type === "meta") {
      this.#meta = mergeMeta(this.#meta, draft.meta?.(this.#meta) ?? metaOfEvent(body));
      body = { ...body, ...this.#meta };
    }
    const id = this.lastId() + 1;
    const parent = body.type === "rewind" ? body.to : id - 1;
    const event: SessionEvent = { id, parent, at: draft.at ?? isoNow(), ...body };
    this.#events.push(event);
    this.#sizeBytes += JSON.stringify(event).length;
    return event;
  }

  #checkAfter(after: EventId | undefined): void {
    const last = this.lastId();
    if (after === undefined || after === last) return;
    const loud = this.#events.some(({ id, type }) => id > after && !quietTypes.has(type));
    if (after < last && !loud) return;
    throw new RepriseError(
      "conflict",
      `Event ${after} is not the last one; the session is at ${last}.`,
      {
        details: { last },
      },
    );
  }
}
