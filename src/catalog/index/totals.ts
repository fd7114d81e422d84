import type { Connection } from "../../sqlite/connection.ts";
import { sourceState } from "./schema.ts";

/** How much the index holds. */
export interface Totals {
  /** Sessions that are there, as a list counts them: without those of subagents. */
  readonly sessions: number;
  readonly subagents: number;
  readonly events: number;
  /** Whose files are gone; the index still knows them. */
  readonly gone: number;
  readonly sealed: number;
}

const isThere = `(state <> ${sourceState.gone})`;
const isOfPerson = "(relation is null or relation <> 'subagent')";

/** Counts what the index holds. */
export function indexTotals(connection: Connection): Totals {
  return connection
    .prepare(
      `select coalesce(sum(${isThere} and ${isOfPerson}), 0) as sessions,
       coalesce(sum(${isThere} and not ${isOfPerson}), 0) as subagents,
       coalesce(sum(events), 0) as events,
       coalesce(sum(not ${isThere}), 0) as gone,
       coalesce(sum(state = ${sourceState.sealed}), 0) as sealed
       from source where state <> ${sourceState.notSession}`,
    )
    .get() as Totals;
}
