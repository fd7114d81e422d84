import type { SessionRef } from "../../agents/contract.ts";
import { kinds } from "../index/kind.ts";
import { placeKey } from "../index/source.ts";
import { placesThatMayHold } from "../scan/sketched.ts";
import type { FinderOptions, Ground, Wanted } from "./finder.ts";
import type { Found, FoundInSession } from "./found.ts";
import { isNamed, readSessions } from "./read-pending.ts";
import { type ReadSession, withoutHits } from "./read-session.ts";
import type { Understood } from "./request.ts";

/** Answers by reading every session, the newest first, until enough is found. */
export async function searchByReading(
  ground: Ground,
  asked: Understood,
  options: FinderOptions & Wanted,
): Promise<Found> {
  const sessions: FoundInSession[] = [];
  let more = false;
  const told = new Set<number>();
  const refs = await refsThatMayHold(ground, asked, options);
  for await (const read of readSessions(refs, asked, options)) {
    // What a fork copied is told once, under the newest session that has it.
    const session = withoutHits(read, ({ key }) => key !== undefined && told.has(key));
    if (session === undefined) continue;
    for (const { key } of session.hits) if (key !== undefined) told.add(key);
    if (sessions.length >= options.sessions) {
      more = true;
      break;
    }
    const found = foundIn(session, options);
    sessions.push(found);
    options.onFound?.(found);
  }
  return {
    sessions,
    totalSessions: sessions.length + (more ? 1 : 0),
    more,
    newestFirst: true,
    instead: [],
    freshness: {
      sessions: ground.refs.length,
      indexed: ground.indexed,
      streamed: refs.length,
      sealed: 0,
      gone: ground.gone,
    },
    notes: ground.notes,
  };
}

/** The sessions to look into: not those of which the index knows that they cannot hold what is asked for. */
async function refsThatMayHold(
  { catalog, pending, refs }: Ground,
  { needle, find }: Understood,
  options: FinderOptions,
): Promise<readonly SessionRef[]> {
  const places = catalog && needle && placesThatMayHold(catalog.connection, needle);
  if (places === undefined) return refs;
  const isPending = new Set(pending.map(placeKey));
  const agents = await options.agents();
  return refs.filter((ref) => {
    const place = placeKey(ref);
    if (places.has(place) || isPending.has(place)) return true;
    // A name that came after the session was read is not in the index.
    return isNamed(ref, { agents, find });
  });
}

function foundIn({ ref, facts, hits, total }: ReadSession, wanted: Wanted): FoundInSession {
  const events = hits.slice(0, wanted.events).map(({ number, kind, at, snippet }) => ({
    number,
    kind: kinds[kind] ?? "system",
    ...(at !== null && { at: new Date(at * 1000).toISOString() }),
    snippet,
  }));
  return { ref, facts, gone: false, events, total };
}
