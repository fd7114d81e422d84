import { setImmediate, setTimeout } from "node:timers/promises";
import { RepriseError } from "../../src/base/errors.ts";
import { checkSessionId } from "../../src/base/ids.ts";
import {
  type After,
  checkAfter,
  type EventBody,
  type EventId,
  type FollowOptions,
  filteredHeads,
  type HeadsFilter,
  nextEvents,
  type OpenedSession,
  type PathRange,
  type ReadRange,
  type SessionEvent,
  type SessionHead,
  type SessionMeta,
  type SessionStart,
  type Store,
} from "../../src/index.ts";
import { quietTypes } from "../../src/model/event-groups.ts";

interface Kept {
  events: readonly SessionEvent[];
  meta: SessionMeta;
}

/** A store as somebody else may write one: a map that answers later, the asynchronous contract and nothing more. */
export class ToyStore implements Store {
  readonly #sessions = new Map<string, Kept>();

  async create(start: SessionStart): Promise<OpenedSession> {
    return this.#add(start, []);
  }

  async open(session: string): Promise<OpenedSession> {
    await setImmediate();
    const { events, meta } = this.#kept(session);
    const first = events.findLast(({ type }) => type === "session_start");
    const sizeBytes = events.reduce((sum, event) => sum + JSON.stringify(event).length, 0);
    return { start: first as OpenedSession["start"], last: events.at(-1)!.id, meta, sizeBytes };
  }

  async append(
    session: string,
    after: After,
    bodies: readonly EventBody[],
  ): Promise<readonly SessionEvent[]> {
    await setImmediate();
    const kept = this.#kept(session);
    const last = kept.events.at(-1)!.id;
    const isQuietSince = (id: EventId) =>
      kept.events.every((event) => event.id <= id || quietTypes.has(event.type));
    checkAfter(after, { last, isQuietSince });
    const { events, meta } = nextEvents(bodies, { last, meta: kept.meta });
    kept.events = [...kept.events, ...events];
    kept.meta = meta;
    return events;
  }

  async *read(session: string, range: ReadRange = {}): AsyncGenerator<SessionEvent> {
    const { from, reverse, custom } = range;
    await setImmediate();
    const { events } = this.#kept(session);
    for (const event of reverse ? events.toReversed() : events) {
      if (from !== undefined && (reverse ? event.id > from : event.id < from)) continue;
      if (custom === undefined || (event.type === "custom" && event.name === custom)) yield event;
    }
  }

  async event(session: string, id: EventId): Promise<SessionEvent | undefined> {
    await setImmediate();
    return this.#kept(session).events.find((event) => event.id === id);
  }

  async *path(session: string, range: PathRange = {}): AsyncGenerator<SessionEvent> {
    const { until = 1, limit = Number.POSITIVE_INFINITY } = range;
    await setImmediate();
    const { events } = this.#kept(session);
    const find = (id: EventId | undefined) => events.find((event) => event.id === id);
    let event = range.from === undefined ? events.at(-1) : find(range.from);
    if (event === undefined) throw new RepriseError("not_found", "There is no such event.");
    for (let given = 0; given < limit && event !== undefined && event.id >= until; given += 1) {
      yield event;
      const { id, parent }: SessionEvent = event;
      event = parent !== undefined && parent < id ? find(parent) : undefined;
    }
  }

  async *follow(session: string, options: FollowOptions = {}): AsyncGenerator<SessionEvent> {
    const { signal } = options;
    let next = options.from ?? (await this.open(session)).last + 1;
    while (!signal?.aborted) {
      for await (const event of this.read(session, { from: next })) {
        next = event.id + 1;
        yield event;
      }
      await setTimeout(5, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
    }
  }

  async fork(
    session: string,
    at: EventId | undefined,
    start: SessionStart,
  ): Promise<OpenedSession> {
    const last = at ?? (await this.open(session)).last;
    if ((await this.event(session, last)) === undefined) {
      throw new RepriseError("not_found", "There is no such event.");
    }
    const base = { session, event: last, endOffset: 0, sum: "" };
    const shared = this.#kept(session).events.filter(({ id }) => id <= last);
    return this.#add({ ...start, base }, shared);
  }

  async *heads(filter: HeadsFilter = {}): AsyncGenerator<SessionHead> {
    await setImmediate();
    const heads = [...this.#sessions.entries()].map(([session, { events, meta }]): SessionHead => {
      const { cwd, key } = events.findLast(({ type }) => type === "session_start") as SessionStart;
      const { title, ...known } = meta;
      const { labels: _labels, ...facts } = known;
      return {
        agent: "toy",
        session,
        path: "toy",
        sizeBytes: 0,
        state: "unknown",
        updatedAt: events.at(-1)!.at,
        ...(title && { title }),
        ...facts,
        ...(key !== undefined && { key }),
        ...(cwd !== undefined && { cwd }),
      };
    });
    const { cwd } = filter;
    const wanted = heads
      .filter((head) => cwd === undefined || head.cwd === cwd)
      .reverse()
      .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
    yield* filteredHeads(wanted, filter);
  }

  async remove(session: string): Promise<void> {
    await setImmediate();
    this.#kept(session);
    this.#sessions.delete(session);
  }

  async close(): Promise<void> {}

  async #add(start: SessionStart, shared: readonly SessionEvent[]): Promise<OpenedSession> {
    await setImmediate();
    checkSessionId(start.session);
    if (this.#sessions.has(start.session)) {
      throw new RepriseError("session_exists", `Session ${start.session} already exists.`);
    }
    const { title, tags, metadata } = start;
    const meta = {
      ...(title !== undefined && { title }),
      ...(tags !== undefined && { tags }),
      ...(metadata !== undefined && { metadata }),
    };
    const last = shared.at(-1)?.id;
    const { events } = nextEvents([start], { last: last ?? 0, meta });
    const { parent: _none, ...root } = events[0]!;
    const first = (last === undefined ? root : events[0]!) as SessionEvent;
    this.#sessions.set(start.session, { events: [...shared, first], meta });
    return this.open(start.session);
  }

  #kept(session: string): Kept {
    const kept = this.#sessions.get(session);
    if (kept === undefined) throw new RepriseError("not_found", `There is no session ${session}.`);
    return kept;
  }
}
