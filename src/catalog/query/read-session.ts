import type { SessionRef } from "../../agents/contract.ts";
import type { SessionFacts } from "./session-filter.ts";
import type { Streamed, StreamedHit } from "./stream-search.ts";

/** A session that was read, with what was found in it. */
export interface ReadSession
  extends Pick<Streamed, "hits" | "total" | "texts" | "prompts" | "prompt"> {
  readonly ref: SessionRef;
  readonly facts: SessionFacts;
}

/** The session without the hits that are reported elsewhere; undefined if none is left. */
export function withoutHits(
  session: ReadSession,
  isTold: (hit: StreamedHit) => boolean,
): ReadSession | undefined {
  const hits = session.hits.filter((hit) => !isTold(hit));
  if (hits.length === session.hits.length) return session;
  const total = session.total - (session.hits.length - hits.length);
  return hits.length === 0 ? undefined : { ...session, hits, total };
}
