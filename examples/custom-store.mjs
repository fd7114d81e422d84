// Sessions in anything that can get and set a value by its key. `reprise/testing` proves that nothing is missing.
import { setTimeout } from "node:timers/promises";
import {
  checkAfter,
  checkSessionId,
  filteredHeads,
  nextEvents,
  quietTypes,
  RepriseError,
} from "reprise";

/** A store over `{ get(key), set(key, value), delete(key), keys() }`, each of which may answer later. */
export class KeyValueStore {
  #values;
  /** One change of a session at a time; a real service would compare and swap. */
  #turn = Promise.resolve();

  constructor(values) {
    this.#values = values;
  }

  create(start) {
    return this.#inTurn(() => this.#add(start, []));
  }

  async open(session) {
    const { events, meta } = await this.#kept(session);
    const start = events.findLast(({ type }) => type === "session_start");
    return { start, last: events.at(-1).id, meta, sizeBytes: JSON.stringify(events).length };
  }

  append(session, after, bodies) {
    return this.#inTurn(async () => {
      const kept = await this.#kept(session);
      const last = kept.events.at(-1).id;
      const isQuietSince = (id) =>
        kept.events.every((event) => event.id <= id || quietTypes.has(event.type));
      checkAfter(after, { last, isQuietSince });
      const { events, meta } = nextEvents(bodies, { last, meta: kept.meta });
      await this.#values.set(session, { events: [...kept.events, ...events], meta });
      return events;
    });
  }

  async *read(session, { from, reverse, custom } = {}) {
    const { events } = await this.#kept(session);
    for (const event of reverse ? events.toReversed() : events) {
      if (from !== undefined && (reverse ? event.id > from : event.id < from)) continue;
      if (custom === undefined || (event.type === "custom" && event.name === custom)) yield event;
    }
  }

  async event(session, id) {
    return (await this.#kept(session)).events.find((event) => event.id === id);
  }

  async *path(session, { from, until = 1, limit = Number.POSITIVE_INFINITY } = {}) {
    const { events } = await this.#kept(session);
    const find = (id) => events.find((event) => event.id === id);
    let event = from === undefined ? events.at(-1) : find(from);
    if (event === undefined) throw new RepriseError("not_found", `There is no event ${from}.`);
    for (let given = 0; given < limit && event !== undefined && event.id >= until; given += 1) {
      yield event;
      event = event.parent < event.id ? find(event.parent) : undefined;
    }
  }

  async *follow(session, { from, signal } = {}) {
    let next = from ?? (await this.open(session)).last + 1;
    while (!signal?.aborted) {
      for await (const event of this.read(session, { from: next })) {
        next = event.id + 1;
        yield event;
      }
      await setTimeout(20, undefined, { signal }).catch(() => undefined);
    }
  }

  fork(session, at, start) {
    return this.#inTurn(async () => {
      const { events } = await this.#kept(session);
      const last = at ?? events.at(-1).id;
      if (!events.some(({ id }) => id === last))
        throw new RepriseError("not_found", `There is no event ${last}.`);
      const base = { session, event: last, endOffset: 0, sum: "" };
      return this.#add(
        { ...start, base },
        events.filter(({ id }) => id <= last),
      );
    });
  }

  async *heads(filter = {}) {
    const heads = [];
    for (const session of await this.#values.keys()) heads.push(await this.#head(session));
    const wanted = heads.filter(({ cwd }) => filter.cwd === undefined || cwd === filter.cwd);
    const newestFirst = wanted.reverse().sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
    yield* filteredHeads(newestFirst, filter);
  }

  async remove(session) {
    await this.#kept(session);
    await this.#values.delete(session);
  }

  async close() {
    await this.#turn;
  }

  async #head(session) {
    const { events, meta } = await this.#kept(session);
    const { cwd, key } = events.findLast(({ type }) => type === "session_start");
    const { title, labels: _labels, ...known } = meta;
    return {
      ...{ agent: "key-value", session, path: session, sizeBytes: 0, state: "unknown" },
      ...{ updatedAt: events.at(-1).at, cwd, key, ...known },
      ...(title && { title }),
    };
  }

  async #add(start, shared) {
    const session = checkSessionId(start.session);
    if ((await this.#values.get(session)) !== undefined)
      throw new RepriseError("session_exists", `Session ${session} is there already.`);
    const last = shared.at(-1)?.id ?? 0;
    const first = { id: last + 1, ...(last > 0 && { parent: last }), at: new Date().toISOString() };
    const { title, tags, metadata } = start;
    const meta = JSON.parse(JSON.stringify({ title, tags, metadata }));
    await this.#values.set(session, { events: [...shared, { ...first, ...start }], meta });
    return this.open(session);
  }

  async #kept(session) {
    const kept = await this.#values.get(session);
    if (kept === undefined) throw new RepriseError("not_found", `There is no session ${session}.`);
    return kept;
  }

  #inTurn(work) {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}
