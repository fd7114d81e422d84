import type { Agent, SessionRef } from "../../agents/contract.ts";
import { timeOf } from "../../base/clock.ts";
import type { Environment } from "../../base/env.ts";
import type { Connection } from "../../sqlite/connection.ts";
import { allSources, changedMs, placeKey, refOf } from "../index/source.ts";
import type { Ground } from "./finder.ts";

/** What reading heads needs. */
interface Reading {
  readonly env: Environment;
  agent(name: string): Promise<Agent | undefined>;
}

/**
 * The sessions of a ground, the last that was worked in first. A session says itself when that was, in the index or in its
 * head: the time of a file is that of the last copy or backup.
 */
export async function newestFirst(
  { catalog, refs, pending }: Ground,
  reading: Reading,
): Promise<readonly SessionRef[]> {
  const times = catalog === undefined ? new Map<string, number>() : timesIn(catalog.connection);
  for (const ref of pending) {
    const head = (await reading.agent(ref.agent))?.head(ref, reading.env);
    const ms = head === undefined ? undefined : timeOf(head.updatedAt);
    if (ms !== undefined) times.set(placeKey(ref), ms);
  }
  const timeOfRef = (ref: SessionRef): number => times.get(placeKey(ref)) ?? ref.modifiedMs;
  return refs.toSorted((a, b) => timeOfRef(b) - timeOfRef(a));
}

function timesIn(connection: Connection): Map<string, number> {
  return new Map(allSources(connection).map((row) => [placeKey(refOf(row)), changedMs(row)]));
}
