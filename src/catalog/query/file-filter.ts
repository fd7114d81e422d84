import type { Agent, SessionRef } from "../../agents/contract.ts";
import type { Environment } from "../../base/env.ts";
import type { Connection } from "../../sqlite/connection.ts";
import { sourceState } from "../index/schema.ts";
import { refOf, type Source } from "../index/source.ts";
import { asked, workingOn } from "./file-path.ts";
import type { Ground } from "./finder.ts";
import type { Filter } from "./query.ts";

/** Whether any filter asks for the files that calls work on. */
export function asksFiles(filters: readonly Filter[]): boolean {
  return filters.some(({ key }) => key === "file");
}

/** What reading sessions needs. */
interface Reading {
  readonly env: Environment;
  /** There is a key for sealed sessions. */
  readonly hasKey: boolean;
  agent(name: string): Promise<Agent | undefined>;
}

/**
 * The ground for a query with `file:`. The index has an event once, under one of the sessions that share it, and so
 * does not know all calls of a session with copies: those sessions are to be read. What cannot be read is left to
 * the index.
 */
export async function withCopiesToRead(ground: Ground, reading: Reading): Promise<Ground> {
  const connection = ground.catalog?.connection;
  if (connection === undefined) return ground;
  const sources = new Set(ground.sources ?? idsOf(connection));
  const copied = connection
    .prepare(`select * from source where copies > 0 and state = ${sourceState.indexed}`)
    .all() as Source[];
  const toRead: SessionRef[] = [];
  for (const source of copied) {
    // What is not among them is to be read already, or not there.
    if (!sources.has(source.id)) continue;
    const ref = refOf(source);
    const head = (await reading.agent(ref.agent))?.head(ref, reading.env);
    if (head === undefined || (head.sealed === true && !reading.hasKey)) continue;
    sources.delete(source.id);
    toRead.push(ref);
  }
  if (toRead.length === 0) return ground;
  return { ...ground, sources: [...sources], pending: [...ground.pending, ...toRead] };
}

/** Those of some sources, or of all, whose own calls are as every `file:` wants them. */
export function passingFiles(
  connection: Connection,
  sources: readonly number[] | undefined,
  filters: readonly Filter[],
): readonly number[] {
  let kept = sources ?? idsOf(connection);
  for (const { key, value, not } of filters) {
    if (key !== "file") continue;
    const on = sourcesOn(connection, value);
    kept = kept.filter((id) => on.has(id) !== not);
  }
  return kept;
}

function sourcesOn(connection: Connection, path: string): ReadonlySet<number> {
  const rows = connection
    .prepare(`select distinct source as id from (${workingOn})`)
    .all(asked(path), asked(path)) as { readonly id: number }[];
  return new Set(rows.map(({ id }) => id));
}

function idsOf(connection: Connection): readonly number[] {
  const rows = connection.prepare("select id from source").all() as { readonly id: number }[];
  return rows.map(({ id }) => id);
}
