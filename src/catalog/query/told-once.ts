import type { Ground } from "./finder.ts";
import { type ReadSession, withoutHits } from "./read-session.ts";
import type { SearchedText } from "./stream-search.ts";

/** Sessions that were read, with what is theirs alone. */
export interface ToldOnce {
  /** Those in which something was found. */
  readonly sessions: readonly ReadSession[];
  /** How long each of these is, about, in words. */
  readonly lengths: readonly number[];
  /** What is searched in all that were read: events, sessions that have any, words. */
  readonly events: number;
  readonly ofSessions: number;
  readonly length: number;
}

/** Leaves out copies: an event belongs to the session asked for that the index has it of, else to the one begun first. */
export function toldOnce(read: readonly ReadSession[], ground: Ground): ToldOnce {
  const owners = new Map<number, ReadSession>();
  for (const session of read) {
    for (const { key } of session.texts) {
      if (key === undefined) continue;
      const owner = owners.get(key);
      if (owner === undefined || isBefore(session, owner)) owners.set(key, session);
    }
  }
  const allowed = ground.sources === undefined ? undefined : new Set(ground.sources);
  const indexed = ground.catalog?.connection.prepare(
    "select e.source from seen join event e on e.id = seen.event where seen.key = ?",
  );
  const isElsewhere = (session: ReadSession, { key }: Pick<SearchedText, "key">): boolean => {
    if (key === undefined) return false;
    const owner = owners.get(key);
    if (owner !== undefined && owner !== session) return true;
    const known = indexed?.get(key) as { readonly source: number } | undefined;
    return known !== undefined && (allowed === undefined || allowed.has(known.source));
  };
  const sessions: ReadSession[] = [];
  const lengths: number[] = [];
  const sums = { events: 0, ofSessions: 0, length: 0 };
  for (const session of read) {
    const own = session.texts.filter((text) => !isElsewhere(session, text));
    const length = own.reduce((sum, text) => sum + text.length, 0);
    sums.events += own.length;
    sums.ofSessions += own.length > 0 ? 1 : 0;
    sums.length += length;
    const kept = withoutHits(session, (hit) => isElsewhere(session, hit));
    if (kept === undefined || kept.hits.length === 0) continue;
    sessions.push(kept);
    lengths.push(length);
  }
  return { sessions, lengths, ...sums };
}

function isBefore(a: ReadSession, b: ReadSession): boolean {
  const difference = (a.facts.createdMs ?? 0) - (b.facts.createdMs ?? 0);
  return difference < 0 || (difference === 0 && a.ref.path < b.ref.path);
}
