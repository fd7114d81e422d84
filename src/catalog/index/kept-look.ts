import type { Locators } from "../../agents/locate-sessions.ts";
import type { Environment } from "../../base/env.ts";
import { isStill, type Look } from "../../base/look.ts";
import { type AskedVariables, answersAlike } from "../../base/watched-env.ts";
import type { Connection } from "../../sqlite/connection.ts";

/*
 * What the last sweep saw that found nothing to do, kept in the index: as long as the machine is the same, so
 * is the answer. Whoever writes to the index forgets it.
 */

/** Looks that are kept: one for each folder a search is begun in. */
const mostLooks = 4;

/** What decides beside files and folders what a sweep finds. */
interface Given {
  readonly locators: string;
  readonly variables: AskedVariables;
}

interface Row {
  readonly given: string;
  readonly sessions: number;
  readonly paths: string;
  readonly stamps: Uint8Array;
}

/** How many sessions there are, if everything is as the kept look saw it. */
export function sessionsByLook(
  connection: Connection,
  locators: Locators,
  env: Environment,
): number | undefined {
  const row = connection
    .prepare("select given, sessions, paths, stamps from look where place = ?")
    .get(placeOf(env)) as Row | undefined;
  if (row === undefined) return undefined;
  try {
    const { variables, locators: state } = JSON.parse(row.given) as Given;
    if (state !== locators.state || !answersAlike(env, variables)) return undefined;
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
    readonly locators: Locators;
    readonly variables: AskedVariables;
    readonly sessions: number;
    /** Asked with the index held: whether it is still the one that was compared. */
    isSame(): boolean;
  },
): void {
  const given: Given = { locators: facts.locators.state, variables: facts.variables };
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
            JSON.stringify(given),
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
