import type { SessionRef } from "../../agents/contract.ts";
import { kinds } from "../index/kind.ts";
import { sourceState } from "../index/schema.ts";
import { allSources, refOf, type Source } from "../index/source.ts";
import { textsOf } from "./event-lookup.ts";
import { asksFiles, passingFiles, withCopiesToRead } from "./file-filter.ts";
import type { FinderOptions, Ground, Wanted } from "./finder.ts";
import type { Found, FoundEvent, FoundInSession } from "./found.ts";
import { type Indexed, searchIndex } from "./indexed-search.ts";
import type { Instead } from "./near-words.ts";
import { type Hit, type Ranked, rank } from "./rank.ts";
import { type ReadSession, withoutHits } from "./read-session.ts";
import type { Understood } from "./request.ts";
import { asksSessions, factsOfSource, passing } from "./session-filter.ts";
import { type FindIn, type Snippet, snippetOf, wordFinder } from "./snippet.ts";

type Options = FinderOptions & Wanted;

/** Answers by the index, and by reading what it does not have; misspelt words are tried as near ones. */
export async function searchWords(
  ground: Ground,
  asked: Understood,
  options: Options,
): Promise<Found> {
  const first = await answer(ground, asked, options);
  if (first.sessions.length > 0 || ground.catalog === undefined) return first;
  const { withNearWords } = await import("./near-words.ts");
  const near = withNearWords(ground.catalog.connection, asked.query);
  if (near === undefined) return first;
  const again = { ...asked, query: near.query, find: wordFinder(near.query) };
  const second = await answer(ground, again, options);
  return second.sessions.length === 0 ? first : { ...second, instead: near.instead };
}

async function answer(given: Ground, asked: Understood, options: Options): Promise<Found> {
  const hasKey = (options.env.variables["REPRISE_KEY"] ?? "") !== "";
  const ground = asksFiles(asked.query.filters)
    ? await withCopiesToRead(given, { ...options, hasKey })
    : given;
  const toRead = hasKey ? [...ground.pending, ...ground.sealed] : ground.pending;
  const everything: ReadSession[] = [];
  if (toRead.length > 0) {
    const { readSessions } = await import("./read-pending.ts");
    for await (const session of readSessions(toRead, asked, options)) everything.push(session);
  }
  const sources = await askedSources(ground, asked, options);
  const { indexed, read } = asOfOneMoment(ground, () => ({
    indexed: fromIndex(ground, asked, { nowMs: options.nowMs, sources }),
    read: toldOnce(everything, { ...ground, sources }),
  }));
  const relevance = indexed.more ? 1 : Math.max(1, ...indexed.hits.map((hit) => hit.relevance));
  // Sessions that were read get numbers below zero beside those of the index.
  const readHits = read.flatMap(({ hits }, at) =>
    hits.map(({ number, kind, at: seconds }): Hit => {
      return { source: -1 - at, number, kind, at: seconds, relevance };
    }),
  );
  const connection = ground.catalog?.connection;
  const selectOne = connection?.prepare("select * from source where id = ?");
  const known = new Map<number, Source>();
  const sourceOf = (id: number): Source => {
    let source = known.get(id);
    if (source === undefined) {
      source = selectOne!.get(id) as Source;
      known.set(id, source);
    }
    return source;
  };
  const ranked = rank([...indexed.hits, ...readHits], {
    nowMs: options.nowMs,
    newestFirst: indexed.more,
    updatedMs: (id) => {
      if (id < 0) return read[-1 - id]!.facts.updatedMs;
      return sourceOf(id).updated ?? sourceOf(id).modified;
    },
  });
  const sessions: FoundInSession[] = [];
  for (const group of ranked.slice(0, options.sessions)) {
    sessions.push(
      group.source < 0
        ? readGroup(group, read[-1 - group.source]!, options)
        : await indexedGroup(group, sourceOf(group.source), { ...options, find: asked.find }),
    );
  }
  const instead: readonly Instead[] = [];
  return {
    sessions,
    totalSessions: ranked.length,
    more: indexed.more,
    newestFirst: indexed.more,
    instead,
    freshness: {
      sessions: ground.refs.length,
      indexed: ground.indexed,
      streamed: toRead.length,
      sealed: hasKey ? 0 : ground.sealed.length,
      gone: ground.gone,
    },
    notes: ground.notes,
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

function fromIndex(
  { catalog }: Ground,
  { query }: Understood,
  options: { readonly nowMs: number; readonly sources: readonly number[] | undefined },
): Indexed {
  if (catalog === undefined) return { hits: [], more: false };
  return searchIndex(catalog.connection, query, options);
}

/** Leaves out copies: an event belongs to the session asked for that the index has it of, else to the one begun first. */
function toldOnce(sessions: readonly ReadSession[], ground: Ground): readonly ReadSession[] {
  const owners = new Map<number, ReadSession>();
  for (const session of sessions) {
    for (const { key } of session.hits) {
      if (key === undefined) continue;
      const owner = owners.get(key);
      if (owner === undefined || isBefore(session, owner)) owners.set(key, session);
    }
  }
  const allowed = ground.sources === undefined ? undefined : new Set(ground.sources);
  const indexed = ground.catalog?.connection.prepare(
    "select e.source from seen join event e on e.id = seen.event where seen.key = ?",
  );
  return sessions.flatMap((session) => {
    const kept = withoutHits(session, ({ key }) => {
      if (key === undefined) return false;
      if (owners.get(key) !== session) return true;
      const known = indexed?.get(key) as { readonly source: number } | undefined;
      return known !== undefined && (allowed === undefined || allowed.has(known.source));
    });
    return kept ?? [];
  });
}

function isBefore(a: ReadSession, b: ReadSession): boolean {
  const difference = (a.facts.createdMs ?? 0) - (b.facts.createdMs ?? 0);
  return difference < 0 || (difference === 0 && a.ref.path < b.ref.path);
}

function readGroup(group: Ranked, session: ReadSession, wanted: Wanted): FoundInSession {
  const snippets = new Map(session.hits.map((hit) => [hit.number, hit.snippet]));
  return {
    ref: session.ref,
    facts: session.facts,
    gone: false,
    events: group.hits.slice(0, wanted.events).map((hit) => eventOf(hit, snippets.get(hit.number))),
    total: session.total,
  };
}

async function indexedGroup(
  group: Ranked,
  source: Source,
  options: Options & { readonly find: FindIn },
): Promise<FoundInSession> {
  const facts = factsOfSource(source);
  const ref: SessionRef = refOf(source);
  const shown = group.hits.slice(0, options.events);
  const gone = source.state === sourceState.gone;
  const numbers = shown.map(({ number }) => number).filter((number) => number !== "");
  const texts =
    gone || numbers.length === 0 ? new Map<string, string>() : await textsOf(ref, numbers, options);
  const events = shown.map((hit) => {
    const text = hit.number === "" ? facts.title : texts.get(hit.number);
    return eventOf(hit, text === undefined ? undefined : snippetOf(text, options.find));
  });
  return { ref, facts, gone, events, total: group.hits.length };
}

function eventOf(hit: Hit, snippet: Snippet | undefined): FoundEvent {
  return {
    number: hit.number,
    kind: kinds[hit.kind] ?? "system",
    ...(hit.at !== null && { at: new Date(hit.at * 1000).toISOString() }),
    ...(snippet !== undefined && { snippet }),
  };
}
