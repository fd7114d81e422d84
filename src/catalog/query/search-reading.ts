import { limits } from "../../base/limits.ts";
import { oneLine } from "../../model/text.ts";
import { kindBits } from "../index/event-facts.ts";
import { kinds } from "../index/kind.ts";
import type { FinderOptions, Ground, Wanted } from "./finder.ts";
import type { Found, FoundInSession } from "./found.ts";
import { newestFirst } from "./newest-first.ts";
import { hitsInTime, inTime, type TimeOrder } from "./order.ts";
import { readSessions } from "./read-pending.ts";
import { type ReadSession, withoutHits } from "./read-session.ts";
import type { Understood } from "./request.ts";

/**
 * Answers what is looked for as it is by reading, the newest session first, until enough is found. An order of time
 * is that of what is found, so all sessions are read for it.
 */
export async function searchByReading(
  ground: Ground,
  asked: Understood,
  options: FinderOptions & Wanted,
): Promise<Found> {
  const sessions: FoundInSession[] = [];
  let more = false;
  const told = new Set<number>();
  const { order } = options;
  const newest = await newestFirst(ground, options);
  const refs = order === "oldest" ? newest.toReversed() : newest;
  const all: ReadSession[] = [];
  for await (const read of readSessions(refs, asked, options)) {
    // What a fork copied is reported once, under the first session that has it.
    const session = withoutHits(read, ({ key }) => key !== undefined && told.has(key));
    if (session === undefined || session.hits.length === 0) continue;
    for (const { key } of session.hits) if (key !== undefined) told.add(key);
    if (order !== "best") {
      all.push(shortened(session, order, options));
      continue;
    }
    if (sessions.length >= options.sessions) {
      more = true;
      break;
    }
    const found = foundIn(session, options);
    sessions.push(found);
    options.onFound?.(found);
  }
  if (order !== "best") {
    const sorted = inTime(all, order, ({ facts }) => facts.updatedMs / 1000);
    sessions.push(...sorted.slice(0, options.sessions).map((one) => foundIn(one, options)));
  }
  return {
    sessions,
    totalSessions: order === "best" ? sessions.length + (more ? 1 : 0) : all.length,
    more,
    order,
    newestFirst: order !== "oldest",
    sought: [],
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

/** A session with no more of its events than are shown: all sessions are held until the last is read. */
function shortened(session: ReadSession, order: TimeOrder, { events }: Wanted): ReadSession {
  const hits = hitsInTime(session.hits, order).slice(0, Math.max(1, events));
  return { ...session, hits, texts: [] };
}

function foundIn(
  { ref, facts, hits, total, prompts }: ReadSession,
  wanted: Wanted,
): FoundInSession {
  const events = hits.slice(0, wanted.events).map(({ number, what, at, snippet, call }) => ({
    number,
    kind: kinds[what & kindBits] ?? "system",
    ...(at !== null && { at: new Date(at * 1000).toISOString() }),
    ...(snippet !== undefined && { snippet }),
    ...(call !== undefined && { call: oneLine(call, limits.snippetChars) }),
  }));
  return { ref, facts, gone: false, events, total, prompts };
}
