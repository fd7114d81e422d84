import { annotated, readAnnotations } from "../../agents/annotations.ts";
import type { Agent, SessionRef } from "../../agents/contract.ts";
import { groupByProject } from "../../agents/project.ts";
import { isProjectLocal } from "../../agents/registry.ts";
import { timeOf } from "../../base/clock.ts";
import type { Environment } from "../../base/env.ts";
import type { SessionHead, SessionState } from "../../model/head.ts";
import { userHome } from "../../store/home.ts";

/** A session that was found: where it is, who reads it, what its head says. */
export interface FoundSession {
  readonly agent: Agent;
  readonly ref: SessionRef;
  readonly head: SessionHead;
}

/** Which sessions to keep; an absent field keeps all. */
export interface SessionFilter {
  readonly agent?: string;
  readonly project?: string;
  /** Only sessions of the project this folder belongs to. */
  readonly here?: string;
  readonly sinceMs?: number;
  readonly untilMs?: number;
  readonly branch?: string;
  readonly model?: string;
  readonly author?: string;
  readonly state?: SessionState;
  readonly tag?: string;
  readonly subagents?: boolean;
}

/** Where sessions are looked for. */
export interface Search {
  readonly agents: readonly Agent[];
  readonly env: Environment;
}

/** Every session on the machine, by stat only, except those that lie inside projects. */
export function* locateAll(search: Search): Generator<{ agent: Agent; ref: SessionRef }> {
  for (const agent of search.agents) {
    if (isProjectLocal(agent)) continue;
    for (const ref of agent.locate(search.env)) yield { agent, ref };
  }
}

/** Sessions kept inside the projects themselves: the current one and those other sessions ran in. */
export function* locateInProjects(
  search: Search,
  projects: Iterable<string>,
): Generator<{ agent: Agent; ref: SessionRef }> {
  const local = search.agents.filter(isProjectLocal);
  if (local.length === 0) return;
  const known = [...new Set(projects)];
  for (const agent of local) {
    for (const ref of agent.locate(search.env, { projects: known })) yield { agent, ref };
  }
}

/** Reads heads as the user wants to see them: with the titles, tags and pins of the journal. */
export function headReader(
  search: Search,
): (agent: Agent, ref: SessionRef) => SessionHead | undefined {
  const annotations = readAnnotations(userHome(search.env).journal);
  return (agent, ref) => {
    const head = agent.head(ref, search.env);
    if (head === undefined || annotations.size === 0) return head;
    return annotated(head, annotations.get(`${head.agent}:${head.session}`));
  };
}

/** All sessions that pass the filter, newest first. */
export function findSessions(search: Search, filter: SessionFilter = {}): FoundSession[] {
  const found: FoundSession[] = [];
  const headOf = headReader(search);
  const wanted = (agent: Agent): boolean =>
    filter.agent === undefined || agent.name === filter.agent;
  const projects = new Set<string>([search.env.cwd]);
  const add = ({ agent, ref }: { agent: Agent; ref: SessionRef }): void => {
    // The last write of a file cannot be older than what is in it: nothing newer is passed over.
    if (filter.sinceMs !== undefined && ref.modifiedMs < filter.sinceMs) return;
    const head = headOf(agent, ref);
    if (head === undefined) return;
    if (head.cwd !== undefined) projects.add(head.cwd);
    if (wanted(agent) && passes(head, filter)) found.push({ agent, ref, head });
  };
  // Projects are learnt from every agent's sessions, so a local store needs all of them.
  const needsAll = search.agents.some((agent) => isProjectLocal(agent) && wanted(agent));
  for (const one of locateAll(search)) if (needsAll || wanted(one.agent)) add(one);
  for (const one of locateInProjects(search, projects)) if (wanted(one.agent)) add(one);
  const kept =
    filter.here === undefined && filter.project === undefined ? found : ofProject(found, filter);
  return kept.sort(newestFirst);
}

function newestFirst(a: FoundSession, b: FoundSession): number {
  return updatedMs(b) - updatedMs(a) || a.head.session.localeCompare(b.head.session);
}

/** When a session was last written. */
export function updatedMs(session: FoundSession): number {
  return timeOf(session.head.updatedAt) ?? session.ref.modifiedMs;
}

function passes(head: SessionHead, filter: SessionFilter): boolean {
  const updated = timeOf(head.updatedAt) ?? 0;
  return (
    (filter.subagents === true || head.relation?.kind !== "subagent") &&
    (filter.sinceMs === undefined || updated >= filter.sinceMs) &&
    (filter.untilMs === undefined || updated <= filter.untilMs) &&
    (filter.branch === undefined || head.git?.branch === filter.branch) &&
    (filter.state === undefined || head.state === filter.state) &&
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

/** A head that stands for a folder, so that grouping tells which sessions belong with it. */
function markOf(cwd: string): SessionHead {
  return { agent: "", session: "", path: "", sizeBytes: 0, updatedAt: "", state: "unknown", cwd };
}
