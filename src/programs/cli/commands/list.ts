import {
  type FoundSession,
  findNewestOf,
  type SessionFilter,
} from "../../../agents/find-sessions.ts";
import { knownAgent } from "../../../agents/known-agent.ts";
import type { Newest } from "../../../agents/newest-sessions.ts";
import { groupByProject } from "../../../agents/project.ts";
import { readSession } from "../../../agents/reading.ts";
import { referenceTo } from "../../../agents/reference.ts";
import { agentNames } from "../../../agents/registry.ts";
import { RepriseError } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { dialectsOf } from "../../../catalog/blame/call-acts.ts";
import { type WorkDone, workDone } from "../../../catalog/blame/work-done.ts";
import type { SessionHead, SessionState } from "../../../model/head.ts";
import { count } from "../render/count.ts";
import { type ListOptions, listText } from "../render/list-text.ts";
import { isoDay, spanText } from "../render/time.ts";
import type { Command, CommandContext, FlagSpec, Invocation } from "../run/command.ts";
import { limitFrom } from "../run/limit.ts";
import { foundNothing, isFiltered, otherTimes } from "../run/nothing-found.ts";
import { nextSteps, sampleWhereEmpty } from "../sessions/sample.ts";
import { printPaged } from "../terminal/pager.ts";
import { progress } from "../terminal/progress.ts";

/** Flags that choose sessions, shared with the picker. */
export const filterFlags: readonly FlagSpec[] = [
  { flags: "--agent <name>", says: "only this agent's sessions", kind: "text" },
  { flags: "--project <words>", says: "only projects whose name or path has this", kind: "text" },
  { flags: "--here", says: "only the project of the current folder", kind: "switch" },
  { flags: "--since <time>", says: "active since: 2026-11-01, yesterday, 3d", kind: "time" },
  {
    flags: "--until <time>",
    says: "begun until; a day, week or month is included",
    kind: "until",
  },
  { flags: "--branch <name>", says: "only this git branch", kind: "text" },
  { flags: "--model <words>", says: "only models whose name has this", kind: "text" },
  { flags: "--author <words>", says: "only this author", kind: "text" },
  {
    flags: "--state <state>",
    says: "only sessions in this state: ended, interrupted, waiting, unknown",
    kind: "text",
    choices: ["ended", "interrupted", "waiting", "unknown"],
    meanings: [
      "the agent was closed in order after its last answer",
      "the last turn was stopped, by the user or a crash, or still runs",
      "the agent answered or asked; it waits for a prompt, however old",
      "the session's file does not say",
    ],
  },
  {
    flags: "--kind <kind>",
    says: "only this kind: conversation, state, memory, notes",
    kind: "text",
    choices: ["conversation", "state", "memory", "notes"],
  },
  { flags: "--tag <tag>", says: "only sessions with this tag", kind: "text" },
];

/** `reprise list`: sessions of every agent, by project, newest first. */
export const list: Command = {
  name: "list",
  presentAgents: true,
  summary: "list sessions of every agent, by project, newest first",
  details: `--since and --until keep the sessions that were active between the two: changed after the one, begun before the
other. A session of several days is one of each of them.`,
  args: [],
  flags: [
    ...filterFlags,
    {
      flags: "-n, --limit <count>",
      says: `maximum sessions, 0 for all (default ${limits.listedSessions})`,
      kind: "count",
    },
    {
      flags: "--sort <order>",
      says: "newest (default), oldest or largest first, or most prompts; all but the first in one list, not by project",
      kind: "text",
      choices: ["newest", "oldest", "largest", "prompts"],
    },
    { flags: "--all", says: "remove the limit and include subagents' sessions", kind: "switch" },
    {
      flags: "--long",
      says: "add size and state, which are always there when not on a terminal",
      kind: "switch",
    },
    {
      flags: "--prompts, --turns",
      says: "add the number of prompts, with those that are not in the context any more; reads the sessions",
      kind: "switch",
    },
    {
      flags: "--lines",
      says: "add lines added and removed, if known; reads the sessions",
      kind: "switch",
    },
  ],
  examples: [
    { line: "reprise list --here", says: "the sessions of this project" },
    { line: "reprise list --agent codex --since 7d", says: "a week of one agent" },
    { line: "reprise list --sort largest -n 5", says: "the five largest sessions" },
    { line: "reprise list --here --prompts --lines", says: "how much was done in each" },
    { line: "reprise list --json | jq -r '.sessions[].ref'", says: "references for a script" },
  ],
  json: `{ total: number, sessions: (SessionHead & { ref: string,
  group: { name: string, path?: string }, prompts?: number, turns?: number, lines?: { added: number, removed: number } })[] }
turns: the same as prompts`,
  run: async (invocation, given) => {
    const filter = filterFrom(invocation, given.env.cwd);
    const context = await sampleWhereEmpty(given);
    const order = invocation.flags.text("sort") ?? "newest";
    const prompts = order === "prompts" || invocation.flags.isSet("turns");
    const lines = invocation.flags.isSet("lines");
    const asksWork = prompts || lines;
    const found = await findSorted(invocation, filter, { ...context, order });
    const { sessions, total, ids } = found;
    if (total === 0 && isFiltered(invocation)) foundNothing();
    if (total === 0) await noteOtherTimes(filter, context);
    const work = found.work ?? (asksWork ? await workOf(sessions, context) : new Map());
    if (context.json) return printJson(sessions, { total, work, prompts, lines }, context);
    const long = invocation.flags.isSet("long");
    const isFlat = order !== "newest";
    const shown = { ...context, total, ids, long: long || isFlat, isFlat, work, prompts, lines };
    await printPaged([listText(sessions, shown)], context);
    if (context.sample && !given.sample) {
      context.out.note(
        `\nTry:\n${nextSteps()
          .map((line) => `  ${line}`)
          .join("\n")}`,
      );
    }
  },
};

/** Where no session is of the time that was asked for, says of when there are some. */
async function noteOtherTimes(
  { sinceMs, untilMs, ...filter }: SessionFilter,
  context: CommandContext,
): Promise<void> {
  if (context.json || (sinceMs === undefined && untilMs === undefined)) return;
  const { sessions } = await findNewestOf(context, filter, Number.POSITIVE_INFINITY);
  const days = sessions
    .flatMap(({ head }) => [head.createdAt ?? head.updatedAt, head.updatedAt])
    .map((at) => isoDay(Date.parse(at)));
  context.out.note(otherTimes("There are sessions", spanText(sinceMs, untilMs), days.toSorted()));
}

/** The filter a command line asks for, in the folder it was typed in. */
export function filterFrom({ flags }: Invocation, here: string): SessionFilter {
  const agent = knownAgent(flags.text("agent"), agentNames());
  return {
    ...where("agent", agent),
    ...where("project", flags.text("project")),
    ...where("here", flags.isSet("here") ? here : undefined),
    ...where("sinceMs", flags.number("since")),
    ...where("untilMs", flags.number("until")),
    ...where("branch", flags.text("branch")),
    ...where("model", flags.text("model")),
    ...where("author", flags.text("author")),
    ...where("state", flags.text("state") as SessionState | undefined),
    ...where("kind", flags.text("kind") as SessionFilter["kind"]),
    ...where("tag", flags.text("tag")),
    subagents: flags.isSet("all"),
  };
}

function where<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };
}

function mostOf({ flags }: Invocation): number {
  return limitFrom(flags, flags.isSet("all") ? 0 : limits.listedSessions);
}

type Work = ReadonlyMap<SessionHead, WorkDone>;

/** The first sessions in the order that was asked for; any but the newest are known only when all were looked at. */
async function findSorted(
  invocation: Invocation,
  filter: SessionFilter,
  context: CommandContext & { readonly order: string },
): Promise<Newest & { readonly work?: Work }> {
  const most = mostOf(invocation);
  const { order } = context;
  if (order === "newest") return findNewestOf(context, filter, most);
  const all = await findNewestOf(context, filter, Number.POSITIVE_INFINITY);
  if (order === "prompts") {
    const work = await workOf(all.sessions, context);
    const promptsIn = ({ head }: FoundSession): number => work.get(head)?.prompts ?? 0;
    const sorted = all.sessions.toSorted((a, b) => promptsIn(b) - promptsIn(a));
    return { ...all, sessions: sorted.slice(0, most), work };
  }
  const sorted =
    order === "oldest"
      ? all.sessions.toReversed()
      : all.sessions.toSorted((a, b) => b.head.sizeBytes - a.head.sizeBytes);
  return { ...all, sessions: sorted.slice(0, most) };
}

/** What was done in each session; what cannot be read says nothing. */
async function workOf(sessions: readonly FoundSession[], context: CommandContext): Promise<Work> {
  const dialects = dialectsOf(context.agents);
  const work = new Map<SessionHead, WorkDone>();
  const amount = (done: number): string => `${done} of ${count(sessions.length, "session")}`;
  const read = progress(context, { verb: "Reading", toFile: true, amount });
  for (const session of sessions) {
    const { head } = session;
    read.add(1);
    try {
      const { events } = readSession(session, { allBranches: true });
      work.set(head, await workDone(events, { dialects, cwd: head.cwd }));
    } catch (error) {
      if (!(error instanceof RepriseError)) throw error;
    }
  }
  read.end();
  return work;
}

/** Under both names that scripts know. */
function promptsOf(work: WorkDone | undefined): object {
  return work === undefined ? {} : { prompts: work.prompts, turns: work.prompts };
}

async function printJson(
  shown: readonly FoundSession[],
  { total, work, prompts, lines }: Pick<ListOptions, "total" | "work" | "prompts" | "lines">,
  context: CommandContext,
): Promise<void> {
  const groups = new Map<SessionHead, { readonly name: string; readonly path?: string }>();
  for (const { heads, ...group } of groupByProject(shown.map(({ head }) => head))) {
    for (const head of heads) groups.set(head, group);
  }
  const sessions = shown.map((session) => ({
    ref: referenceTo(session),
    ...session.head,
    group: groups.get(session.head),
    ...(prompts && promptsOf(work?.get(session.head))),
    ...(lines && { lines: work?.get(session.head)?.lines }),
  }));
  await context.out.writeJson({ total, sessions });
}
