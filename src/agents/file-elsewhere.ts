import { basename, extname } from "node:path";
import { fileStat } from "../base/folders.ts";
import type { SessionHead } from "../model/head.ts";
import { ownAgent } from "../store/own-agent.ts";
import {
  type FoundSession,
  type HeadOf,
  headReader,
  type Located,
  type Search,
} from "./find-sessions.ts";

/** The located sessions that turn out to be some, with their heads. */
export function withHeads(
  located: readonly Located[],
  search: Search,
  headOf: HeadOf = headReader(search),
): readonly FoundSession[] {
  return located.flatMap(({ agent, ref }) => {
    const head = headOf(agent, ref);
    return head === undefined ? [] : [{ agent, ref, head }];
  });
}

/** The sessions in a file that lies outside every store, by the agents that understand it. */
export function sessionsInFile(path: string, search: Search): readonly FoundSession[] {
  const stat = fileStat(path);
  if (stat === undefined) return [];
  const session = basename(path, extname(path));
  const elsewhere = search.agents.flatMap((agent): readonly Located[] => {
    const named = [...(agent.at?.(path, search.env) ?? [])].map((ref) => ({ agent, ref }));
    return named.length > 0
      ? named
      : [{ agent, ref: { agent: agent.name, session, path, ...stat } }];
  });
  const headOf = headReader(search, (agent, ref) => {
    const head = agent.head(ref, search.env);
    return head && { ...head, path, elsewhere: true };
  });
  const understood = withHeads(elsewhere, search, headOf).filter(({ head }) => isSession(head));
  // Our first line names itself; other agents' readers are lenient with lines of others.
  const own = understood.filter(({ agent }) => agent.name === ownAgent);
  return own.length > 0 ? own : knownBest(understood);
}

/** Whether a file says what a session of its agent says at least: when it began, or what it is about. */
function isSession({ problem, createdAt, title }: SessionHead): boolean {
  return problem === undefined && (createdAt !== undefined || title !== undefined);
}

/** Of agents that all read a file, its own finds the most in it. */
function knownBest(found: readonly FoundSession[]): readonly FoundSession[] {
  const most = Math.max(...found.map(factsIn));
  return found.filter((session) => factsIn(session) === most);
}

/** How many of the facts that every agent writes down were found. */
function factsIn({ head }: FoundSession): number {
  const { title, createdAt, cwd, model, version } = head;
  return [title, createdAt, cwd, model, version].filter((fact) => fact !== undefined).length;
}
