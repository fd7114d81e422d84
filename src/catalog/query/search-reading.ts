import { limits } from "../../base/limits.ts";
import { oneLine } from "../../model/text.ts";
import { kindBits } from "../index/event-facts.ts";
import { kinds } from "../index/kind.ts";
import type { FinderOptions, Ground, Wanted } from "./finder.ts";
import type { Found, FoundInSession } from "./found.ts";
import { newestFirst } from "./newest-first.ts";
import { readSessions } from "./read-pending.ts";
import { type ReadSession, withoutHits } from "./read-session.ts";
import type { Understood } from "./request.ts";

/** Answers what is looked for as it is by reading, the newest session first, until enough is found. */
export async function searchByReading(
  ground: Ground,
  asked: Understood,
  options: FinderOptions & Wanted,
): Promise<Found> {
  const sessions: FoundInSession[] = [];
  let more = false;
  const told = new Set<number>();
  const refs = await newestFirst(ground, options);
  for await (const read of readSessions(refs, asked, options)) {
    // What a fork copied is reported once, under the newest session that has it.
    const session = withoutHits(read, ({ key }) => key !== undefined && told.has(key));
    if (session === undefined || session.hits.length === 0) continue;
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
