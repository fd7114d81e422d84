import { timeOf } from "../base/clock.ts";
import type { Environment } from "../base/env.ts";
import type { SessionHead } from "../model/head.ts";
import type { Opening } from "../model/opening.ts";
import type { Agent, SessionRef } from "./contract.ts";
import { askedFor, locateAll } from "./locate-sessions.ts";

/** A session that was found: where it is, who reads it, what its head says. */
export interface FoundSession {
  readonly agent: Agent;
  readonly ref: SessionRef;
  readonly head: SessionHead;
}

/** The newest sessions of some, and what is known of all. */
export interface Newest {
  readonly sessions: readonly FoundSession[];
  readonly total: number;
  readonly ids: readonly string[];
  /** The folders that all of them ran in. */
  readonly projects: ReadonlySet<string>;
}

/** A session that is on the machine and not looked into beyond its first bytes. */
interface Candidate {
  readonly agent: Agent;
  readonly ref: SessionRef;
  readonly session: string;
}

/** A file's time may be this much older than what was written into it: some file systems count in twos. */
const slackMs = 2_000;

/**
 * The newest sessions, and how many there are. Of all of them only the first bytes are read; the whole heads,
 * with the ends of the files, only of those that may be among the newest: nothing is written into a file after
 * the file's own time.
 */
export function newestSessions(
  search: { readonly agents: readonly Agent[]; readonly env: Environment },
  options: {
    readonly count: number;
    /** Whose sessions are wanted; all if absent. */
    readonly agent?: string | undefined;
    headOf(agent: Agent, ref: SessionRef): SessionHead | undefined;
    openingOf(agent: Agent, ref: SessionRef): Opening | undefined;
  },
): Newest {
  const projects = new Set<string>([search.env.cwd]);
  const candidates = candidatesOf(search, options, projects);
  candidates.sort((a, b) => b.ref.modifiedMs - a.ref.modifiedMs);
  const newest: FoundSession[] = [];
  let missing = 0;
  for (const { agent, ref } of candidates) {
    const last = newest[options.count - 1];
    if (last !== undefined && updatedMs(last) > ref.modifiedMs + slackMs) break;
    const head = options.headOf(agent, ref);
    if (head === undefined || head.relation?.kind === "subagent") {
      missing += 1;
      continue;
    }
    insert(newest, { agent, ref, head });
    if (newest.length > options.count) newest.pop();
  }
  return {
    sessions: newest,
    total: candidates.length - missing,
    ids: candidates.map(({ session }) => session),
    projects,
  };
}

/** Every session but subagents' and those that are listed only if asked for. */
function candidatesOf(
  { agents, env }: { readonly agents: readonly Agent[]; readonly env: Environment },
  options: {
    readonly agent?: string | undefined;
    openingOf(agent: Agent, ref: SessionRef): Opening | undefined;
  },
  projects: Set<string>,
): Candidate[] {
  const candidates: Candidate[] = [];
  const isWanted = ({ name }: Agent): boolean =>
    options.agent === undefined || name === options.agent;
  const listed = agents.filter((one) => one.aside !== true || one.name === options.agent);
  const asked = askedFor(listed.filter(isWanted), listed);
  for (const { agent, ref } of locateAll(asked, env, projects)) {
    const opening = options.openingOf(agent, ref);
    if (opening === undefined) continue;
    if (opening.cwd !== undefined) projects.add(opening.cwd);
    // An agent whose sessions are all of this kind was asked for by its name.
    const isAside = opening.aside === true && agent.aside !== true;
    if (opening.subagent === true || isAside || !isWanted(agent)) continue;
    candidates.push({ agent, ref, session: opening.session });
  }
  return candidates;
}

function insert(sorted: FoundSession[], session: FoundSession): void {
  let at = sorted.length;
  while (at > 0 && newestFirst(session, sorted[at - 1]!) < 0) at -= 1;
  sorted.splice(at, 0, session);
}

/** Orders sessions by when they were last written, the newest first. */
export function newestFirst(a: FoundSession, b: FoundSession): number {
  return (
    updatedMs(b) - updatedMs(a) ||
    a.head.session.localeCompare(b.head.session) ||
    a.ref.path.localeCompare(b.ref.path)
  );
}

/** When a session was last written. */
export function updatedMs(session: FoundSession): number {
  return timeOf(session.head.updatedAt) ?? session.ref.modifiedMs;
}
