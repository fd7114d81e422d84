import type { Connection } from "../../sqlite/connection.ts";
import { asksInjected } from "../index/event-facts.ts";
import { allSources, placeKey, refOf, type Source } from "../index/source.ts";
import { asksFiles, passingFiles, withCopiesToRead } from "./file-filter.ts";
import type { FinderOptions, Ground } from "./finder.ts";
import type { Freshness } from "./found.ts";
import { type Indexed, type IndexOptions, searchIndex } from "./indexed-search.ts";
import type { Order } from "./order.ts";
import type { Corpus, Hit } from "./rank.ts";
import type { ReadSession } from "./read-session.ts";
import type { Understood } from "./request.ts";
import { asksSessions, factsOfSource, passing } from "./session-filter.ts";
import { type Sought, soughtIn } from "./sought.ts";
import { type ToldOnce, toldOnce } from "./told-once.ts";

type Options = FinderOptions & {
  readonly soFar?: boolean;
  /** How many events of the index are looked at, the most promising ones; all unless given. */
  readonly most?: number;
  readonly order?: Order;
};

/** Everything that has something of what is looked for, and what it is ranked against. */
export interface Gathered {
  readonly hits: readonly Hit[];
  readonly sought: readonly Sought[];
  readonly corpus: Corpus;
  /** The index holds more than is ranked. */
  readonly more: boolean;
  /** The sessions that were read; a hit of the one at `n` has the source `-1 - n`. */
  readonly read: readonly ReadSession[];
  readonly freshness: Freshness;
  sourceOf(id: number): Source;
}

/** Gathers what has any of the words, from the index and from what must be read. */
export async function gatherHits(
  given: Ground,
  asked: Understood,
  options: Options,
): Promise<Gathered> {
  const hasKey = (options.env.variables["REPRISE_KEY"] ?? "") !== "";
  const ground = await groundOf(given, asked, { ...options, hasKey });
  const all = hasKey ? [...ground.pending, ...ground.sealed] : ground.pending;
  const toRead = options.soFar === true ? [] : all;
  const everything: ReadSession[] = [];
  if (toRead.length > 0) {
    const { readSessions } = await import("./read-pending.ts");
    for await (const session of readSessions(toRead, asked, options)) everything.push(session);
  }
  const sources = await askedSources(ground, asked, options);
  const { indexed, read, corpus, sourceOf } = asOfOneMoment(ground, () => {
    const told = toldOnce(everything, { ...ground, sources });
    const sourceOf = knownSources(ground);
    const sums = sumsOf(ground, sources);
    const indexed = fromIndex(ground, asked, { ...options, sources, events: sums.events });
    const corpus = corpusOf(ground, { sums, indexed, told, sourceOf });
    return { indexed, read: told.sessions, corpus, sourceOf };
  });
  return {
    hits: [...indexed.hits, ...read.flatMap(hitsOf)],
    sought: soughtIn(asked.query),
    corpus,
    more: indexed.more,
    read,
    sourceOf,
    freshness: {
      sessions: ground.refs.length,
      indexed: ground.indexed,
      streamed: toRead.length,
      sealed: hasKey ? 0 : ground.sealed.length,
      gone: ground.gone,
    },
  };
}

/** The ground for a query: the index has neither all of an output nor what programs put in, nor all calls of forks. */
async function groundOf(
  ground: Ground,
  { query, mode }: Understood,
  options: Options & { readonly hasKey: boolean },
): Promise<Ground> {
  const isDeep = mode.kind === "words" && mode.deep;
  if (isDeep || asksInjected(query.filters)) {
    const sealed = new Set(options.hasKey ? [] : ground.sealed.map(({ path }) => path));
    const pending = ground.refs.filter(({ path }) => !sealed.has(path));
    return { ...ground, sources: [], pending, sealed: options.hasKey ? [] : ground.sealed };
  }
  return asksFiles(query.filters) ? withCopiesToRead(ground, options) : ground;
}

/** Sessions that were read get numbers below zero beside those of the index. */
function hitsOf({ hits }: ReadSession, at: number): readonly Hit[] {
  return hits.map(({ number, place, what, at: seconds, counts, leads }) => {
    return { source: -1 - at, number, place, what, at: seconds, counts, leads };
  });
}

/** What is searched, in the index and beside it. */
function corpusOf(
  { catalog }: Ground,
  given: {
    readonly sums: Sums;
    readonly indexed: Indexed;
    readonly told: ToldOnce;
    sourceOf(id: number): Source;
  },
): Corpus {
  const { sums, indexed, told, sourceOf } = given;
  const found = new Set(indexed.hits.map(({ source }) => source));
  const weights = catalog === undefined ? new Map() : weightsOf(catalog.connection, found);
  return {
    events: sums.events + told.events,
    sessions: sums.sessions + told.ofSessions,
    length: sums.length + told.length,
    left: indexed.left,
    lengthOf: (id) => (id < 0 ? told.lengths[-1 - id]! : weights.get(id)!.length),
    updatedMs: (id) =>
      id < 0 ? told.sessions[-1 - id]!.facts.updatedMs : weights.get(id)!.updated,
    nameOf: (id) => placeKey(id < 0 ? told.sessions[-1 - id]!.ref : refOf(sourceOf(id))),
  };
}

/** What is searched in the index. */
interface Sums {
  readonly events: number;
  readonly sessions: number;
  readonly length: number;
}

/** Adding up goes through every session; many questions are asked of one ground. */
const known = new WeakMap<Ground, Sums>();

function sumsOf(ground: Ground, sources: readonly number[] | undefined): Sums {
  const connection = ground.catalog?.connection;
  if (connection === undefined) return { events: 0, sessions: 0, length: 0 };
  const select = `select coalesce(sum(texts), 0) as events, count(*) as sessions, coalesce(sum(length), 0) as length
    from source where texts > 0`;
  if (sources !== undefined)
    return connection
      .keep(`${select} and id in (select value from json_each(?))`)
      .get(JSON.stringify(sources)) as Sums;
  const sums = known.get(ground) ?? (connection.keep(select).get() as Sums);
  known.set(ground, sums);
  return sums;
}

/** How long sessions are and when they changed, of all at once: one by one they took as long as all the rest. */
function weightsOf(
  connection: Connection,
  ids: Iterable<number>,
): ReadonlyMap<number, { readonly length: number; readonly updated: number }> {
  const row = connection
    .keep(
      `select json_group_array(json_array(s.id, s.length, max(coalesce(s.updated, s.modified), coalesce(s.copied, 0)))) as rows
       from json_each(?) w cross join source s on s.id = w.value`,
    )
    .get(JSON.stringify([...ids])) as { readonly rows: string };
  const rows = JSON.parse(row.rows) as [number, number, number][];
  return new Map(rows.map(([id, length, updated]) => [id, { length, updated }]));
}

function knownSources({ catalog }: Ground): (id: number) => Source {
  const selectOne = catalog?.connection.prepare("select * from source where id = ?");
  const known = new Map<number, Source>();
  return (id) => {
    let source = known.get(id);
    if (source === undefined) {
      source = selectOne!.get(id) as Source;
      known.set(id, source);
    }
    return source;
  };
}

/**
 * Another process may be indexing: what it commits between two questions would be missing from the answer to
 * the first and left out as known by the second.
 */
function asOfOneMoment<T>({ catalog }: Ground, ask: () => T): T {
  catalog?.connection.exec("begin");
  try {
    return ask();
  } finally {
    catalog?.connection.exec("commit");
  }
}

/** The sessions of the index that a query is about; undefined for all. */
async function askedSources(
  ground: Ground,
  { query }: Understood,
  options: Options,
): Promise<readonly number[] | undefined> {
  const connection = ground.catalog?.connection;
  if (connection === undefined) return ground.sources;
  const sources = asksFiles(query.filters)
    ? passingFiles(connection, ground.sources, query.filters)
    : ground.sources;
  if (!asksSessions(query.filters)) return sources;
  const allowed = sources === undefined ? undefined : new Set(sources);
  const all = allSources(connection)
    .filter(({ id }) => allowed === undefined || allowed.has(id))
    .map((source) => ({ id: source.id, facts: factsOfSource(source) }));
  const kept = await passing(all, query.filters, { cwd: options.env.cwd });
  return kept.map(({ id }) => id);
}

function fromIndex({ catalog }: Ground, { query }: Understood, options: IndexOptions): Indexed {
  if (catalog === undefined) return { hits: [], more: false, left: [] };
  return searchIndex(catalog.connection, query, options);
}
