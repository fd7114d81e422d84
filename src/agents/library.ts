import { type Environment, processEnvironment } from "../base/env.ts";
import type { SessionHead } from "../model/head.ts";
import type { SessionRef } from "./contract.ts";
import {
  type FoundSession,
  findNewestOf,
  headReader,
  type Search,
  type SessionFilter,
} from "./find-sessions.ts";
import { knownAgent } from "./known-agent.ts";
import { type NamedSession, resolveReference } from "./reference.ts";
import { agentNames, loadAgent } from "./registry.ts";
import * as sources from "./sources.ts";
import { agentsIn, everyAgent } from "./user-agents.ts";

/** The machine a call works on: this process's own environment unless another one is given. */
export interface OnMachine {
  readonly env?: Environment;
}

/** Which sessions to list, and how many. */
export interface ListOptions extends SessionFilter, OnMachine {
  /** The newest so many; all where absent. */
  readonly limit?: number;
}

/** The sessions that were asked for, newest first, and how many there are of them in all. */
export interface SessionList {
  readonly sessions: readonly FoundSession[];
  readonly total: number;
}

/** The agents that may have sessions on the machine, to look for these with. */
async function searchOn({ env = processEnvironment() }: OnMachine): Promise<Search> {
  return { env, agents: await agentsIn(env) };
}

/**
 * Lists the sessions of every agent on this machine, newest first. A list with a limit and no filter but `agent` reads
 * little more than the heads that it returns.
 */
export async function listSessions(options: ListOptions = {}): Promise<SessionList> {
  const { env, limit = Number.POSITIVE_INFINITY, ...filter } = options;
  const search = await searchOn({ ...(env !== undefined && { env }) });
  const agent = knownAgent(filter.agent, agentNames());
  const wanted = { ...filter, ...(agent !== undefined && { agent }) };
  const { sessions, total } = await findNewestOf(search, wanted, limit);
  return { sessions, total };
}

/**
 * Finds the one session that a reference names, as the command line does: `@last`, a path, `agent:id`, the beginning of an
 * id, a tag, words of the title; `ref@57` names an event of it. Throws `not_found` or `ambiguous`.
 */
export async function findSession(
  reference: string,
  options: OnMachine = {},
): Promise<NamedSession> {
  return resolveReference(reference, await searchOn(options));
}

/**
 * Reads the head of a session anew, with the title, tags and pin the user gave it; undefined where its file is gone or is no
 * session.
 */
export async function readHead(
  ref: SessionRef,
  options: OnMachine = {},
): Promise<SessionHead | undefined> {
  const { env = processEnvironment() } = options;
  const agent = await loadAgent(knownAgent(ref.agent, agentNames()));
  return agent && headReader({ env, agents: [] })(agent, ref);
}

/** Every agent: a store that was not there yet may be of any of them. */
async function everyOn({ env = processEnvironment() }: OnMachine): Promise<Search> {
  return { env, agents: await everyAgent() };
}

/**
 * Adds a file or folder to the places whose sessions are listed and searched: a database, an export, a store's folder, the
 * home of another machine. It is only read. Throws `not_found`, `bad_input` if it holds no session, `conflict` if it is a
 * source already.
 */
export async function addSource(
  path: string,
  options: OnMachine = {},
): Promise<sources.SourceChange> {
  return sources.addSource(path, await everyOn(options));
}

/** Lists the sources that were added, and what each of them holds now. */
export async function listSources(
  options: OnMachine = {},
): Promise<readonly sources.SourceState[]> {
  return sources.listSources(await everyOn(options));
}

/** Takes a path off the list of sources; nothing at the path is touched. Throws `not_found` if it is not on the list. */
export async function removeSource(
  path: string,
  options: OnMachine = {},
): Promise<sources.SourceRemoval> {
  return sources.removeSource(path, await everyOn(options));
}

/** A session given by a reference, or one that was found already. */
export async function sessionGiven(
  session: string | NamedSession,
  options: OnMachine,
): Promise<NamedSession> {
  return typeof session === "string" ? findSession(session, options) : session;
}
