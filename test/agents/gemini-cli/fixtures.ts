import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent, ReadOptions, SessionRef } from "../../../src/agents/contract.ts";
import { geminiCli } from "../../../src/agents/gemini-cli/index.ts";
import type { Environment } from "../../../src/base/env.ts";
import type { Damage } from "../../../src/model/damage.ts";

export const fixtureRoot = join(import.meta.dirname, "../../fixtures/gemini-cli");

/** What an independent recount says of one session file. */
export interface Recount {
  readonly sessionId: string;
  readonly kind?: string;
  readonly messages: number;
  readonly user: number;
  readonly gemini: number;
  readonly info: number;
  readonly toolCalls: number;
  readonly thoughts: number;
  readonly tokensTotal: number;
  readonly prompts: readonly string[];
}

/** Recounts by `<version>/<scenario>` and path below `.gemini`. */
export const recounts: Readonly<Record<string, Readonly<Record<string, Recount>>>> = JSON.parse(
  readFileSync(join(fixtureRoot, "summary.json"), "utf8"),
);

export const scenarios: readonly string[] = Object.keys(recounts);

/** The environment in which a scenario's home is the user's home. */
export function homeOf(scenario: string, cwd = "/home/dev/acme-api-g"): Environment {
  return { variables: {}, platform: "linux", home: join(fixtureRoot, scenario), cwd };
}

export function refOf(path: string, part?: string): SessionRef {
  const stat = statSync(path);
  return {
    agent: "gemini-cli",
    session: "s",
    path,
    sizeBytes: stat.size,
    modifiedMs: stat.mtimeMs,
    ...(part === undefined ? {} : { part }),
  };
}

/** Everything a read yields, put together. */
export interface Reading {
  readonly events: readonly AgentEvent[];
  readonly damage: readonly Damage[];
  readonly unknown: Readonly<Record<string, number>>;
  readonly cursor: string;
  readonly restarted: boolean;
}

export async function readAll(ref: SessionRef, options: ReadOptions = {}): Promise<Reading> {
  let events: AgentEvent[] = [];
  let damage: Damage[] = [];
  let restarted = false;
  let cursor = "";
  const unknown: Record<string, number> = {};
  for await (const batch of geminiCli.read(ref, options)) {
    if (batch.restart) {
      events = [];
      damage = [];
      restarted = true;
    }
    events.push(...batch.events);
    damage.push(...batch.damage);
    cursor = batch.cursor;
    for (const [name, count] of Object.entries(batch.unknown ?? {})) {
      unknown[name] = (unknown[name] ?? 0) + count;
    }
  }
  return { events, damage, unknown, cursor, restarted };
}

/** The session files of a scenario with their recounts. */
export function sessionsOf(scenario: string): { path: string; recount: Recount }[] {
  return Object.entries(recounts[scenario]!).map(([path, recount]) => ({
    path: join(fixtureRoot, scenario, ".gemini", path),
    recount,
  }));
}

/** The request the program sent when it resumed a session, where one was kept. */
export function expectedRequest(
  scenario: string,
  session: string,
): { contents: Turn[] } | undefined {
  const folder = join(fixtureRoot, scenario, "expect");
  const name = readdirSync(folder).find((file) => file === `${session}.request.json`);
  return name === undefined ? undefined : JSON.parse(readFileSync(join(folder, name), "utf8"));
}

/** A turn as the program sends it. */
export interface Turn {
  readonly role: string;
  readonly parts: readonly Readonly<Record<string, unknown>>[];
}
