import { timeOf } from "../../base/clock.ts";
import { parseTime, parseUntil } from "../../base/parse-time.ts";
import type { SessionHead } from "../../model/head.ts";
import { changedMs, type Source } from "../index/source.ts";
import type { Filter } from "./query.ts";

/** What of a session its filters look at; the index and a head both tell it. */
export interface SessionFacts {
  readonly agent: string;
  readonly session: string;
  readonly title?: string | undefined;
  /** The title was given, by hand or by the agent; else it is the first prompt. */
  readonly isTitled: boolean;
  readonly tags: readonly string[];
  readonly cwd?: string | undefined;
  readonly project?: SessionHead["project"];
  readonly remote?: string | undefined;
  readonly branch?: string | undefined;
  readonly model?: string | undefined;
  readonly author?: string | undefined;
  readonly createdMs?: number | undefined;
  readonly updatedMs: number;
}

/** The facts of a session in the index, as the user marked it. */
export function factsOfSource(source: Source): SessionFacts {
  const tags = source.marked_tags ?? source.tags;
  return {
    agent: source.agent,
    session: source.named ?? source.session,
    title: source.marked_title ?? source.title ?? undefined,
    isTitled: source.title_event !== null,
    tags: tags === null ? [] : (JSON.parse(tags) as string[]),
    cwd: source.cwd ?? undefined,
    ...(source.project !== null && {
      project: JSON.parse(source.project) as NonNullable<SessionHead["project"]>,
    }),
    remote: source.remote ?? undefined,
    branch: source.branch ?? undefined,
    model: source.model ?? undefined,
    author: source.author ?? undefined,
    createdMs: source.created ?? undefined,
    updatedMs: changedMs(source),
  };
}

/** The facts a head says. */
export function factsOfHead(head: SessionHead): SessionFacts {
  return {
    agent: head.agent,
    session: head.session,
    title: head.title,
    isTitled: head.titled === true,
    tags: head.tags ?? [],
    cwd: head.cwd,
    ...(head.project !== undefined && { project: head.project }),
    remote: head.git?.remote,
    branch: head.git?.branch,
    model: head.model,
    author: head.author,
    createdMs: timeOf(head.createdAt),
    updatedMs: Date.parse(head.updatedAt),
  };
}

const ofSessions: ReadonlySet<string> = new Set([
  "agent",
  "session",
  "project",
  "here",
  "branch",
  "model",
  "author",
  "tag",
]);

/** Whether any filter asks about sessions, not about single events. */
export function asksSessions(filters: readonly Filter[]): boolean {
  return filters.some(({ key }) => ofSessions.has(key));
}

/** The sessions that pass every filter about sessions. */
export async function passing<T extends { readonly facts: SessionFacts }>(
  sessions: readonly T[],
  filters: readonly Filter[],
  options: { readonly cwd: string },
): Promise<readonly T[]> {
  let kept = sessions;
  for (const filter of filters) {
    if (!ofSessions.has(filter.key)) continue;
    const isOfProject = filter.key === "here" || filter.key === "project";
    const wanted = isOfProject
      ? await ofProject(kept, filter, options.cwd)
      : new Set(kept.filter(({ facts }) => holds(facts, filter)));
    kept = kept.filter((session) => wanted.has(session) !== filter.not);
  }
  return kept;
}

function holds(facts: SessionFacts, { key, value }: Filter): boolean {
  const has = (text: string | undefined): boolean =>
    text?.toLowerCase().includes(value.toLowerCase()) === true;
  switch (key) {
    case "agent":
      return facts.agent === value || facts.agent.startsWith(value);
    case "session":
      return [facts.session, `${facts.agent}:${facts.session}`].some((id) => id.startsWith(value));
    case "branch":
      return facts.branch === value;
    case "model":
      return has(facts.model);
    case "author":
      return has(facts.author);
    case "tag":
      return facts.tags.includes(value);
    default:
      return true;
  }
}

async function ofProject<T extends { readonly facts: SessionFacts }>(
  sessions: readonly T[],
  { key, value }: Filter,
  cwd: string,
): Promise<ReadonlySet<T>> {
  const { resolve } = await import("node:path");
  const { groupByProject } = await import("../../agents/project.ts");
  const heads = new Map(sessions.map((session) => [headOf(session.facts), session]));
  const here = key === "here" ? headOf({ ...nobody, cwd: resolve(cwd, value) }) : undefined;
  const kept = new Set<T>();
  const groups = groupByProject(here === undefined ? [...heads.keys()] : [...heads.keys(), here]);
  for (const group of groups) {
    const names = [group.name, group.path, ...group.heads.map((head) => head.cwd)];
    const isNamed = names.some((name) => name?.toLowerCase().includes(value.toLowerCase()));
    if (here === undefined ? !isNamed : !group.heads.includes(here)) continue;
    for (const head of group.heads) {
      const session = heads.get(head);
      if (session !== undefined) kept.add(session);
    }
  }
  return kept;
}

const nobody: SessionFacts = { agent: "", session: "", isTitled: false, tags: [], updatedMs: 0 };

function headOf({ agent, session, cwd, project, remote }: SessionFacts): SessionHead {
  return {
    agent,
    session,
    path: "",
    sizeBytes: 0,
    updatedAt: "",
    state: "unknown",
    ...(cwd !== undefined && { cwd }),
    ...(project !== undefined && { project }),
    ...(remote !== undefined && { git: { remote } }),
  };
}

/** The instants between which events must lie, in seconds. */
export function timesOf(
  filters: readonly Filter[],
  nowMs: number,
): { readonly since?: number; readonly until?: number } {
  let since: number | undefined;
  let until: number | undefined;
  for (const { key, value, not } of filters) {
    if (key !== "since" && key !== "until") continue;
    const ms = key === "since" ? parseTime(value, nowMs) : parseUntil(value, nowMs);
    const seconds = Math.floor(ms / 1000);
    if ((key === "since") !== not) since = Math.max(since ?? 0, seconds);
    else until = Math.min(until ?? Number.MAX_SAFE_INTEGER, seconds);
  }
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
}
