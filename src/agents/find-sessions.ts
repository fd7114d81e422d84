import { join } from "node:path";
import { timeOf } from "../base/clock.ts";
import type { Environment } from "../base/env.ts";
import { buildName } from "../base/version.ts";
import type { SessionHead, SessionKind, SessionState } from "../model/head.ts";
import { asCopy, conversionsOf } from "../store/copies.ts";
import { userHome } from "../store/home.ts";
import { marked, marksOf } from "../store/marks.ts";
import type { Agent, SessionRef } from "./contract.ts";
import { type KeptHeads, keptHeads } from "./kept-heads.ts";
import { askedFor, locateAll } from "./locate-sessions.ts";
import { type FoundSession, type Newest, newestFirst, newestSessions } from "./newest-sessions.ts";
import { groupByProject } from "./project.ts";
import { loadAgentsOf } from "./registry.ts";

export type { FoundSession } from "./newest-sessions.ts";

/** Which sessions to keep; an absent field keeps all. */
export interface SessionFilter {
  readonly agent?: string;
  /** Part of the project's name or path. */
  readonly project?: string;
  /** Only sessions of the project this folder belongs to. */
  readonly here?: string;
  /** Only sessions that were active in this span: changed after it began, begun before it ended. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
  readonly branch?: string;
  readonly model?: string;
  readonly author?: string;
  readonly state?: SessionState;
  readonly kind?: SessionKind | "conversation";
  readonly tag?: string;
  /** Also sessions that another session started, and those that are listed only if asked for. */
  readonly subagents?: boolean;
}

/** Where sessions are looked for. */
export interface Search {
  readonly agents: readonly Agent[];
  readonly env: Environment;
  /** Where relative paths begin, if not in the environment's folder. */
  readonly folder?: string;
  /** Whether a reference may be the path of any file; not for references that strangers make. */
  readonly takesPaths?: boolean;
}

/** A session that was located; its head was not read yet. */
export interface Located {
  readonly agent: Agent;
  readonly ref: SessionRef;
}

/**
 * Every session on the machine, by stat only. Agents that ask for projects come last: what the caller
 * adds to `projects` meanwhile is known to them.
 */
export function locateSessions(
  search: Search,
  projects: ReadonlySet<string> = new Set([search.env.cwd]),
): Iterable<Located> {
  return locateAll(search.agents, search.env, projects);
}

/** How a head is read. */
export type HeadOf = (agent: Agent, ref: SessionRef) => SessionHead | undefined;

/** Reads heads as the user wants to see them: with the titles, tags and pins of the journal, and with what copies are of. */
export function headReader(
  search: Search,
  read: HeadOf = (agent, ref) => agent.head(ref, search.env),
): HeadOf {
  const home = userHome(search.env);
  const [marks, copies] = [marksOf(home), conversionsOf(home)];
  return (agent, ref) => {
    const head = read(agent, ref);
    return head === undefined ? undefined : asCopy(marked(head, marks), copies);
  };
}

function headsOf({ env }: Search): KeptHeads {
  return keptHeads(join(userHome(env).derived, "agent-heads.json"), env, buildName);
}

/** All sessions that pass the filter, newest first. */
export function findSessions(search: Search, filter: SessionFilter = {}): FoundSession[] {
  return foundIn(search, filter).found;
}

function foundIn(
  search: Search,
  filter: SessionFilter,
): { readonly found: FoundSession[]; readonly projects: ReadonlySet<string> } {
  const found: FoundSession[] = [];
  const heads = headsOf(search);
  const headOf = headReader(search, heads.head);
  const isWanted = (agent: Agent): boolean =>
    filter.agent === undefined || agent.name === filter.agent;
  const listed = search.agents.filter((agent) => asksAside(filter, agent) || agent.aside !== true);
  const agents = askedFor(listed.filter(isWanted), listed);
  const projects = new Set<string>([search.env.cwd]);
  for (const { agent, ref } of locateSessions({ ...search, agents }, projects)) {
    const head = headOf(agent, ref);
    if (head?.cwd !== undefined) projects.add(head.cwd);
    if (head === undefined || !isWanted(agent)) continue;
    if (head.aside === true && !asksAside(filter, agent)) continue;
    found.push({ agent, ref, head });
  }
  heads.save(agents);
  const isOfProject = filter.here !== undefined || filter.project !== undefined;
  // Which sessions are of one project, all of them say together, whatever else is asked.
  const ofThose = isOfProject ? ofProject(found, filter) : found;
  const kept = ofThose.filter(({ head }) => passes(head, filter));
  return { found: kept.sort(newestFirst), projects };
}

/** The newest sessions that pass the filter; what the filter asks of a head, all heads must be read for. */
export function findNewest(search: Search, filter: SessionFilter, count: number): Newest {
  const { agent, subagents, ...rest } = filter;
  if (subagents !== true && Object.keys(rest).length === 0 && Number.isFinite(count)) {
    const heads = headsOf(search);
    const headOf = headReader(search, heads.head);
    const newest = newestSessions(search, { count, agent, headOf, openingOf: heads.opening });
    const isWanted = ({ name }: Agent): boolean => agent === undefined || name === agent;
    const isAsked = (one: Agent): boolean =>
      isWanted(one) && (one.aside !== true || one.name === agent);
    heads.save(askedFor(search.agents.filter(isAsked), search.agents));
    return newest;
  }
  const { found, projects } = foundIn(search, filter);
  const ids = found.map(({ head }) => head.session);
  return { sessions: found.slice(0, count), total: found.length, ids, projects };
}

/**
 * The same, with the agents that keep a store in each project: those are loaded where one of the projects has one. Looking
 * again costs little then, for heads are kept.
 */
export async function findNewestOf(
  search: Search,
  filter: SessionFilter,
  count: number,
): Promise<Newest> {
  const { agents: loaded, env } = search;
  const asked = await loadAgentsOf([], { env, loaded, asked: filter.agent });
  const first = { ...search, agents: [...loaded, ...asked] };
  const newest = findNewest(first, filter, count);
  const late = await loadAgentsOf(newest.projects, { env, loaded: first.agents });
  if (late.length === 0) return newest;
  return findNewest({ ...search, agents: [...first.agents, ...late] }, filter, count);
}

/** Whether a filter asks for sessions that are otherwise not listed. */
function asksAside(filter: SessionFilter, agent: Agent): boolean {
  const isNamed = agent.aside === true && filter.agent === agent.name;
  return isNamed || filter.subagents === true || filter.project !== undefined;
}

function passes(head: SessionHead, filter: SessionFilter): boolean {
  const updated = timeOf(head.updatedAt) ?? 0;
  const created = timeOf(head.createdAt) ?? updated;
  return (
    (filter.subagents === true || head.relation?.kind !== "subagent") &&
    (filter.sinceMs === undefined || updated >= filter.sinceMs) &&
    (filter.untilMs === undefined || created <= filter.untilMs) &&
    (filter.branch === undefined || head.git?.branch === filter.branch) &&
    (filter.state === undefined || head.state === filter.state) &&
    (filter.kind === undefined || (head.kind ?? "conversation") === filter.kind) &&
    (filter.tag === undefined || head.tags?.includes(filter.tag) === true) &&
    holds(head.model, filter.model) &&
    holds(head.author, filter.author)
  );
}

function holds(text: string | undefined, part: string | undefined): boolean {
  if (part === undefined) return true;
  return text?.toLowerCase().includes(part.toLowerCase()) === true;
}

function ofProject(found: readonly FoundSession[], filter: SessionFilter): FoundSession[] {
  const heads = new Map(found.map((session) => [session.head, session]));
  const here = filter.here === undefined ? undefined : markOf(filter.here);
  const groups = groupByProject(here === undefined ? [...heads.keys()] : [...heads.keys(), here]);
  const kept: FoundSession[] = [];
  for (const group of groups) {
    if (here !== undefined && !group.heads.includes(here)) continue;
    const names = [group.name, group.path, ...group.heads.map((head) => head.cwd)];
    if (!names.some((name) => holds(name ?? "", filter.project))) continue;
    for (const head of group.heads) {
      const session = heads.get(head);
      if (session !== undefined) kept.push(session);
    }
  }
  return kept;
}

/** Those of the sessions that belong to the project of a folder, wherever it was when they ran. */
export function sessionsOfFolder(
  found: readonly FoundSession[],
  folder: string,
): readonly FoundSession[] {
  return ofProject(found, { here: folder });
}

/** A head that stands for a folder, so that grouping says which sessions belong with it. */
function markOf(cwd: string): SessionHead {
  return { agent: "", session: "", path: "", sizeBytes: 0, updatedAt: "", state: "unknown", cwd };
}
