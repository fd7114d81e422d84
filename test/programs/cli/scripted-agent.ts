import type { Agent, AgentEvent, SessionRef } from "../../../src/agents/contract.ts";
import type { FoundSession } from "../../../src/agents/find-sessions.ts";
import type { Environment } from "../../../src/base/env.ts";
import type { Damage } from "../../../src/model/damage.ts";
import type { EventBody } from "../../../src/model/event.ts";
import type { SessionHead } from "../../../src/model/head.ts";

export interface ScriptedSession {
  readonly head: Partial<SessionHead> & { readonly session: string };
  readonly bodies?: readonly EventBody[];
  readonly damage?: readonly Damage[];
}

/** An agent whose sessions are given in the test; everything goes through the real contract. */
export function scriptedAgent(name: string, sessions: readonly ScriptedSession[]): Agent {
  const headOf = ({ head }: ScriptedSession): SessionHead => ({
    agent: name,
    path: `/nowhere/${name}/${head.session}.jsonl`,
    sizeBytes: 100,
    updatedAt: "2026-11-10T10:00:00.000Z",
    state: "waiting",
    ...head,
  });
  const find = (ref: SessionRef): ScriptedSession | undefined =>
    sessions.find(({ head }) => head.session === ref.session);
  return {
    name,
    title: name,
    revision: 1,
    roots: () => [],
    capabilities: {
      thinking: true,
      images: true,
      tree: true,
      compaction: true,
      subagents: true,
      titles: true,
      needsSqlite: false,
      versionsProven: [],
    },
    locate: () =>
      sessions.map((session) => {
        const { path, sizeBytes, updatedAt } = headOf(session);
        return {
          agent: name,
          session: session.head.session,
          path,
          sizeBytes,
          modifiedMs: Date.parse(updatedAt),
        };
      }),
    head: (ref) => {
      const session = find(ref);
      return session === undefined ? undefined : headOf(session);
    },
    read: async function* (ref) {
      const session = find(ref);
      yield {
        events: eventsFrom(session?.bodies ?? []),
        damage: session?.damage ?? [],
        cursor: "end",
      };
    },
  };
}

/** Numbered live events with these bodies. */
export function eventsFrom(bodies: readonly EventBody[]): readonly AgentEvent[] {
  return bodies.map((body, index) => ({
    number: String(index + 1),
    uuid: `native-${index + 1}`,
    at: "2026-11-10T10:00:00.000Z",
    live: true,
    body,
    native: { line: index + 1 },
  }));
}

/** The same as a stream. */
export async function* streamOf(bodies: readonly EventBody[]): AsyncGenerator<AgentEvent> {
  yield* eventsFrom(bodies);
}

/** All pieces as one text. */
export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

/** The only session of an agent, found. */
export function foundIn(agent: Agent): FoundSession {
  const [ref] = [...agent.locate(environment())];
  return { agent, ref: ref!, head: agent.head(ref!, environment())! };
}

/** An environment that names nothing of this machine. */
export function environment(over: Partial<Environment> = {}): Environment {
  return { variables: {}, platform: "linux", home: "/home/dev", cwd: "/home/dev", ...over };
}
