import type { AgentEvent, ReadOptions, SessionRef } from "../../contract.ts";
import { eventsHash, type Position } from "./cursor.ts";
import { type MessageEvents, messageEvents } from "./events.ts";
import { type LivePath, livePathKey, livePathOf } from "./live-path.ts";
import { sessionEvents } from "./session-events.ts";
import type { ReadMessage, Source } from "./source.ts";

/** A session as it is now, and how much of it is asked for. */
export interface OpenSession {
  readonly source: Source;
  readonly livePath: LivePath;
  readonly liveKey: string;
  /** What the store says about the session as a whole, and the hash of it. */
  readonly own: readonly AgentEvent[];
  readonly ownHash: string;
  readonly root: string | undefined;
  readonly allBranches: boolean;
}

/** Where a reading begins. */
export interface Begin extends Pick<Position, "index" | "before" | "told" | "last" | "lastLive"> {
  /** How many of the session's own events are reported, counted from their end. */
  readonly own: number;
}

/** Looks at what the program would replay of a session. */
export function openSession(
  source: Source,
  ref: SessionRef,
  { allBranches = false }: ReadOptions,
): OpenSession {
  const livePath = livePathOf(source);
  const liveKey = livePathKey(livePath, source.count);
  const own = sessionEvents(source, ref);
  const ownHash = eventsHash(own);
  return { source, livePath, liveKey, own, ownHash, root: ref.root, allBranches };
}

/** The first message that is asked for: what a compaction hides is not even fetched (P5). */
export function firstWanted({ allBranches, livePath }: OpenSession): number {
  return allBranches ? 0 : livePath.from;
}

/** Where a reading of everything begins. */
export function beginning(session: OpenSession): Begin {
  const index = firstWanted(session);
  return { index, before: session.source.stamp(index), told: [], own: session.own.length };
}

/** Whether an event is asked for. */
export function isWanted({ allBranches }: OpenSession, { live }: AgentEvent): boolean {
  return live || allBranches;
}

/** The events of a message of the session. */
export function eventsOf(session: OpenSession, message: ReadMessage, index: number): MessageEvents {
  const { source, livePath, root } = session;
  return messageEvents(message, { source, index, livePath, ...(root !== undefined && { root }) });
}
