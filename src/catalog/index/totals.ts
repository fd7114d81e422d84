import type { Connection } from "../../sqlite/connection.ts";
import { sourceState } from "./schema.ts";

/** How much the index holds. */
export interface Totals {
  readonly sessions: number;
  readonly events: number;
  readonly gone: number;
  readonly sealed: number;
}

/** Counts what the index holds. */
export function indexTotals(connection: Connection): Totals {
  return connection
    .prepare(
      `select count(*) as sessions, coalesce(sum(events), 0) as events,
       coalesce(sum(state = ${sourceState.gone}), 0) as gone,
       coalesce(sum(state = ${sourceState.sealed}), 0) as sealed
       from source where state <> ${sourceState.notSession}`,
    )
    .get() as Totals;
}
