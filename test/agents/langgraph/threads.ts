import { cpSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent, ReadOptions, SessionRef } from "../../../src/agents/contract.ts";
import { langgraph } from "../../../src/agents/langgraph/index.ts";
import type { Environment } from "../../../src/base/env.ts";
import type { Damage } from "../../../src/model/damage.ts";
import { temporaryFolder } from "../../temporary-folder.mjs";

/** Projects with databases that the real savers wrote. */
export const versions = ["js-1.0.4", "py-3.1.1"] as const;

/** A project with a database as a saver left it. */
export function fixtureOf(version: string): string {
  return join(import.meta.dirname, "..", "..", "fixtures", "langgraph", version, "project");
}

/** An environment in a folder that names nothing else. */
export function environmentIn(cwd: string): Environment {
  return { variables: {}, platform: "linux", home: join(cwd, ".."), cwd };
}

/** A copy of such a project. */
export function projectOf(version: string): Environment {
  const cwd = join(temporaryFolder(), "graph");
  cpSync(fixtureOf(version), cwd, { recursive: true });
  return environmentIn(cwd);
}

/** The threads of a project, by id. */
export function threadsOf(env: Environment): ReadonlyMap<string, SessionRef> {
  return new Map([...langgraph.locate(env)].map((ref) => [ref.session, ref]));
}

/** Everything a read gives. */
export async function readThread(
  ref: SessionRef,
  options: ReadOptions = {},
): Promise<{
  readonly events: readonly AgentEvent[];
  readonly damage: readonly Damage[];
  readonly cursor: string;
}> {
  let events: AgentEvent[] = [];
  let damage: Damage[] = [];
  let cursor = "";
  for await (const batch of langgraph.read(ref, options)) {
    if (batch.restart) {
      events = [];
      damage = [];
    }
    events.push(...batch.events);
    damage.push(...batch.damage);
    cursor = batch.cursor;
  }
  return { events, damage, cursor };
}
