import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent, ReadOptions, SessionRef } from "../../../src/agents/contract.ts";
import { opencode } from "../../../src/agents/opencode/index.ts";
import type { Environment } from "../../../src/base/env.ts";
import type { Damage } from "../../../src/model/damage.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";

const fixtures = new URL("../../fixtures/opencode/", import.meta.url).pathname;

// Private copies of databases go to a folder of the test, not to the user's.
const home = temporaryFolder();
process.env["REPRISE_HOME"] = home;

/** `<version>/<scenario>` of every fixture. */
export const scenarios: readonly string[] = readdirSync(fixtures, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(join(fixtures, name)).map((scenario) => `${name}/${scenario}`))
  .sort();

/** The folder of a scenario; it mirrors a home folder. */
export function fixture(scenario: string): string {
  return join(fixtures, scenario);
}

/** A copy of a scenario that may be changed; gone after the test. */
export function copyOf(scenario: string): string {
  const folder = temporaryFolder();
  cpSync(fixture(scenario), folder, { recursive: true });
  return folder;
}

/** The JSON of a file beside the fixtures. */
export function json<T>(...path: readonly string[]): T {
  return JSON.parse(readFileSync(join(fixtures, ...path), "utf8")) as T;
}

/** An environment whose home is the given folder. */
export function environment(
  folder: string,
  variables: Readonly<Record<string, string>> = {},
): Environment {
  return { variables, platform: "linux", home: folder, cwd: folder };
}

/** The sessions of a home folder by id. */
export function refsOf(folder: string): Map<string, SessionRef> {
  return new Map([...opencode.locate(environment(folder))].map((ref) => [ref.session, ref]));
}

/** Everything a read tells, put together as a consumer would. */
export interface Told {
  readonly events: readonly AgentEvent[];
  readonly damage: readonly Damage[];
  readonly unknown: Readonly<Record<string, number>>;
  readonly cursor: string;
  readonly restarts: number;
  readonly batches: number;
}

/** Reads a session to its end. */
export async function readAll(ref: SessionRef, options: ReadOptions = {}): Promise<Told> {
  let events: AgentEvent[] = [];
  let damage: Damage[] = [];
  let unknown: Record<string, number> = {};
  let cursor = "";
  let restarts = 0;
  let batches = 0;
  for await (const batch of opencode.read(ref, options)) {
    batches += 1;
    if (batch.restart === true) {
      restarts += 1;
      events = [];
      damage = [];
      unknown = {};
    }
    events.push(...batch.events);
    damage.push(...batch.damage);
    for (const [type, count] of Object.entries(batch.unknown ?? {})) {
      unknown[type] = (unknown[type] ?? 0) + count;
    }
    cursor = batch.cursor;
  }
  return { events, damage, unknown, cursor, restarts, batches };
}
