import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { AgentEvent, ReadOptions, SessionRef } from "../../../src/agents/contract.ts";
import { copilotCli } from "../../../src/agents/copilot-cli/index.ts";
import type { Damage } from "../../../src/model/damage.ts";

const fixtures = join(import.meta.dirname, "..", "..", "fixtures", "copilot-cli");

/** By scenario: the folder of its one session. */
const folders: ReadonlyMap<string, string> = new Map(
  readdirSync(fixtures).flatMap((origin) =>
    readdirSync(join(fixtures, origin)).map((scenario) => {
      const folder = join(fixtures, origin, scenario, ".copilot", "session-state");
      return [scenario, join(folder, readdirSync(folder)[0]!)] as const;
    }),
  ),
);

/** Every scenario. */
export const scenarios: readonly string[] = [...folders.keys()].sort();

/** The events of a scenario's session. */
export function fixture(scenario: string): string {
  return join(folders.get(scenario)!, "events.jsonl");
}

/** What the program itself sent its model when it resumed a scenario's session. */
export function expectation(scenario: string): string {
  return join(folders.get(scenario)!, "..", "..", "..", "expect.json");
}

/** The ref of a file. */
export function refOf(path: string): SessionRef {
  const { size: sizeBytes, mtimeMs: modifiedMs } = statSync(path);
  return { agent: "copilot-cli", session: basename(dirname(path)), path, sizeBytes, modifiedMs };
}

/** Everything a read gives. */
export interface Read {
  readonly events: readonly AgentEvent[];
  readonly damage: readonly Damage[];
  readonly cursor: string;
  readonly restarted: boolean;
  readonly unknown: Readonly<Record<string, number>>;
}

/** Reads a file to its end, minding restarts. */
export async function readFile(path: string, options: ReadOptions = {}): Promise<Read> {
  let events: AgentEvent[] = [];
  const damage: Damage[] = [];
  let cursor = "";
  let restarted = false;
  let unknown: Record<string, number> = {};
  for await (const batch of copilotCli.read(refOf(path), options)) {
    if (batch.restart) {
      restarted = true;
      events = [];
    }
    events.push(...batch.events);
    damage.push(...batch.damage);
    cursor = batch.cursor;
    unknown = { ...unknown, ...batch.unknown };
  }
  return { events, damage, cursor, restarted, unknown };
}
