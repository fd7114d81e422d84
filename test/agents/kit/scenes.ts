import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Agent, AgentEvent, ReadOptions, SessionRef } from "../../../src/agents/contract.ts";
import type { Environment } from "../../../src/base/env.ts";
import type { Damage } from "../../../src/model/damage.ts";

/** One scenario of an agent: a home, and the sessions in it. */
export interface Scene {
  /** The version or origin it comes from, and its name: `0.24.4/tools`. */
  readonly name: string;
  readonly home: string;
}

/** Every scenario in `test/fixtures/<agent>/<version or origin>/<scenario>`. */
export function scenesOf(agent: string): readonly Scene[] {
  const root = join(import.meta.dirname, "..", "..", "fixtures", agent);
  return readdirSync(root).flatMap((origin) =>
    readdirSync(join(root, origin)).map((scenario) => ({
      name: `${origin}/${scenario}`,
      home: join(root, origin, scenario),
    })),
  );
}

/** A home as an environment; a scene's project, if it has one, is the folder it is in. */
export function envOf(home: string): Environment {
  const project = join(home, "project");
  return { variables: {}, platform: "linux", home, cwd: existsSync(project) ? project : home };
}

/** Everything a read gives. */
export interface Read {
  readonly events: readonly AgentEvent[];
  readonly damage: readonly Damage[];
  readonly cursor: string;
  readonly restarted: boolean;
  readonly unknown: Readonly<Record<string, number>>;
}

/** Reads a session to its end, minding restarts. */
export async function readAll(
  agent: Agent,
  ref: SessionRef,
  options: ReadOptions = {},
): Promise<Read> {
  let events: AgentEvent[] = [];
  const damage: Damage[] = [];
  let cursor = "";
  let restarted = false;
  let unknown: Record<string, number> = {};
  for await (const batch of agent.read(ref, options)) {
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

/** The refs in a home, by session. */
export function refsIn(agent: Agent, env: Environment): ReadonlyMap<string, SessionRef> {
  const refs = [...agent.locate(env, { projects: [env.cwd] })];
  return new Map(refs.map((ref) => [ref.session, ref]));
}

/** Heads and events of every scene are as they were, and with all branches nothing live changes. */
export function describeGolden(agent: Agent): void {
  describe.each(scenesOf(agent.name))("$name", ({ home }) => {
    const env = envOf(home);
    const refs = [...refsIn(agent, env).values()];

    test("heads and events are as they were", async () => {
      const lines: string[] = [];
      for (const ref of refs) {
        const { path, cwdExists: _asOfNow, ...head } = agent.head(ref, env) ?? { path: ref.path };
        const told = { ...head, file: basename(path), in: basename(dirname(path)) };
        // Where only the file has a time, it is that of the checkout.
        const fileTime = new Date(ref.modifiedMs).toISOString();
        lines.push(JSON.stringify(told).replaceAll(fileTime, "<the file's time>"));
        const { events, damage, unknown } = await readAll(agent, ref, { allBranches: true });
        lines.push(...events.map(({ native: _native, ...event }) => JSON.stringify(event)));
        if (damage.length > 0 || Object.keys(unknown).length > 0)
          lines.push(JSON.stringify({ damage, unknown }));
      }
      const golden = `${lines.join("\n").replaceAll(home, "<home>")}\n`;
      await expect(golden).toMatchFileSnapshot(join(home, "golden.jsonl"));
    });

    test("with all branches nothing live changes, and the last events are the last", async () => {
      for (const ref of refs) {
        const live = (await readAll(agent, ref)).events;
        const all = (await readAll(agent, ref, { allBranches: true })).events;
        expect(live.every((event) => event.live)).toBe(true);
        expect(all.filter((event) => event.live)).toEqual(live);
        for (const last of [0, 1, 3, 1000]) {
          const { events } = await readAll(agent, ref, { last });
          expect(events, `the last ${last}`).toEqual(last === 0 ? [] : live.slice(-last));
          const ofAll = await readAll(agent, ref, { last, allBranches: true });
          expect(ofAll.events, `the last ${last} of all`).toEqual(
            last === 0 ? [] : all.slice(-last),
          );
        }
      }
    });
  });
}
