import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { AgentEvent, ReadOptions, SessionRef } from "../../../src/agents/contract.ts";
import { pi } from "../../../src/agents/pi/index.ts";
import type { Damage } from "../../../src/model/damage.ts";

const fixtures = join(import.meta.dirname, "..", "..", "fixtures", "pi");
const versions = ["0.73.1", "0.87.1"];

/** By `scenario/file`: the path of every fixture, without its ending. */
const paths: ReadonlyMap<string, string> = new Map(versions.flatMap(sessionsOf));

function sessionsOf(version: string): readonly (readonly [string, string])[] {
  return readdirSync(join(fixtures, version), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => name.slice(0, -".jsonl".length))
    .map((name) => [name, join(fixtures, version, name)] as const);
}

/** Every fixture as `scenario/file`, without its ending. */
export const scenarios: readonly string[] = [...paths.keys()].sort();

/** The path of a fixture: of the only file of a scenario, or of the named one. */
export function fixture(name: string, ending = ".jsonl"): string {
  const full = scenarios.find((scenario) => scenario === name || scenario.startsWith(`${name}/`));
  return `${paths.get(full ?? "")}${ending}`;
}

/** The ref of a file. */
export function refOf(path: string): SessionRef {
  const stat = statSync(path);
  return {
    agent: "pi",
    session: basename(path, ".jsonl"),
    path,
    sizeBytes: stat.size,
    modifiedMs: stat.mtimeMs,
  };
}

/** Everything a read gives. */
export interface Read {
  readonly events: readonly AgentEvent[];
  readonly damage: readonly Damage[];
  readonly cursor: string;
  readonly cursors: readonly string[];
  readonly restarted: boolean;
  readonly unknown: Readonly<Record<string, number>>;
}

/** Reads a file to its end, minding restarts. */
export async function readFile(path: string, options: ReadOptions = {}): Promise<Read> {
  let events: AgentEvent[] = [];
  let damage: Damage[] = [];
  const cursors: string[] = [];
  const unknown = new Map<string, number>();
  let restarted = false;
  for await (const batch of pi.read(refOf(path), options)) {
    if (batch.restart) {
      restarted = true;
      events = [];
      damage = [];
    }
    for (const event of batch.events) events.push(event);
    damage.push(...batch.damage);
    cursors.push(batch.cursor);
    for (const [name, count] of Object.entries(batch.unknown ?? {})) {
      unknown.set(name, (unknown.get(name) ?? 0) + count);
    }
  }
  return {
    events,
    damage,
    cursor: cursors.at(-1) ?? "",
    cursors,
    restarted,
    unknown: Object.fromEntries(unknown),
  };
}
