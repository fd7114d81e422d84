import type { Environment } from "../../base/env.ts";
import { isStill, type Look } from "../../base/look.ts";
import { type AskedVariables, answersAlike } from "../../base/watched-env.ts";
import type { Connection } from "../../sqlite/engine.ts";

/*
 * What the last sweep saw that found nothing to do, kept in the index: as long as the machine is the same, so
 * is the answer. Whoever writes to the index forgets it.
 */

/** Looks that are kept: one for each folder a search is begun in. */
const mostLooks = 4;

interface Row {
  /** The variables that decide beside files and folders what a sweep finds. */
  readonly given: string;
  readonly sessions: number;
  readonly paths: string;
  readonly stamps: Uint8Array;
}

/** How many sessions there are, if everything is as the kept look saw it. */
export function sessionsByLook(connection: Connection, env: Environment): number | undefined {
  const row = connection
    .prepare("select given, sessions, paths, stamps from look where place = ?")
    .get(placeOf(env)) as Row | undefined;
  if (row === undefined) return undefined;
  try {
    if (!answersAlike(env, JSON.parse(row.given) as AskedVariables)) return undefined;
    const paths = row.paths.split("\n");
    // The bytes lie where the engine put them; numbers have to lie at a multiple of eight.
    const stamps = new Float64Array(row.stamps.slice().buffer);
    return isStill({ paths, stamps }) ? row.sessions : undefined;
  } catch {
    // Not as it was written: then it tells nothing.
    return undefined;
  }
}

/** Keeps a look; where somebody else writes just now it is not worth waiting. */
export function keepLook(
  connection: Connection,
  look: Look,
  facts: {
    readonly env: Environment;
    readonly variables: AskedVariables;
    readonly sessions: number;
    /** Asked with the index held: whether it is still the one that was compared. */
    isSame(): boolean;
  },
): void {
  try {
    connection.exec("pragma busy_timeout = 0; begin immediate");
    try {
      if (facts.isSame()) {
        connection
          .prepare(
            `delete from look where place not in (select place from look limit ${mostLooks - 1})`,
          )
          .run();
        connection
          .prepare("insert or replace into look values (?, ?, ?, ?, ?)")
          .run(
            placeOf(facts.env),
            JSON.stringify(facts.variables),
            facts.sessions,
            look.paths.join("\n"),
            new Uint8Array(look.stamps.buffer),
          );
      }
    } finally {
      connection.exec("commit");
    }
  } catch {
    // The next sweep takes as long as this one, and no harm is done.
  } finally {
    connection.exec(`pragma busy_timeout = ${busyMs}`);
  }
}

/** How long the index is waited for where somebody writes to it. */
export const busyMs = 5_000;

function placeOf({ home, cwd }: Environment): string {
  return `${home}\n${cwd}`;
}
