import { knownAgent } from "../../agents/known-agent.ts";
import { agentNames } from "../../agents/registry.ts";
import { type IndexedMachine, machineOptions } from "../index/library.ts";
import type { UpdateOptions } from "../index/update.ts";
import { Finder, type Wanted } from "./finder.ts";
import type { Found } from "./found.ts";
import { type SearchRequest, understand } from "./request.ts";

/** How a search on a machine works. */
export interface SearchOptions
  extends IndexedMachine,
    Pick<UpdateOptions, "onProgress" | "signal"> {
  /** Begin no further session into the index after this long; what it does not have yet is read for the answer. */
  readonly freshenMs?: number;
  /** What `since:3d` counts from; now unless given. */
  readonly nowMs?: number;
}

/**
 * Opens what answers searches over every session of the machine, and brings its index up to date. Open it once, ask it often,
 * close it.
 */
export function openFinder(options: SearchOptions = {}): Promise<Finder> {
  const { nowMs = Date.now(), freshenMs, onProgress, signal } = options;
  return Finder.open({
    ...machineOptions(options),
    nowMs,
    ...(onProgress !== undefined && { onProgress }),
    ...(signal !== undefined && { signal }),
    ...(freshenMs !== undefined && { deadlineMs: performance.now() + freshenMs }),
  });
}

/** Searches every session of the machine once: a query as people type it, filters such as `agent:codex` included. */
export async function search(
  query: string | SearchRequest,
  options: SearchOptions & Partial<Wanted> = {},
): Promise<Found> {
  const { sessions, events, order, soFar, shownAs, ...rest } = options;
  const request = typeof query === "string" ? { text: query } : query;
  checkAgents(request);
  const finder = await openFinder(rest);
  try {
    return await finder.search(request, {
      ...(sessions !== undefined && { sessions }),
      ...(events !== undefined && { events }),
      ...(order !== undefined && { order }),
      ...(soFar !== undefined && { soFar }),
      ...(shownAs !== undefined && { shownAs }),
    });
  } finally {
    finder.close();
  }
}

/** A filter takes the beginning of an agent's name; one that begins none would find nothing and not say why: `usage`. */
export function checkAgents(request: SearchRequest): void {
  const names = agentNames();
  for (const { key, value } of understand(request).query.filters) {
    if (key === "agent" && !names.some((name) => name.startsWith(value))) knownAgent(value, names);
  }
}
