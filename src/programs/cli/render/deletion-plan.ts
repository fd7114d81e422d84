import type { FoundSession } from "../../../agents/find-sessions.ts";
import { groupByProject } from "../../../agents/project.ts";
import { referenceTo } from "../../../agents/reference.ts";
import type { CommandContext } from "../run/command.ts";
import type { Chosen, Deletable } from "../sessions/deletable.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { count } from "./count.ts";
import { type Deleted, deletedParts, freedText } from "./deletion-text.ts";
import { shortTitleOf } from "./heading.ts";
import { isoDay } from "./time.ts";

/** Sessions of an agent in a project. */
export interface DeletionGroup {
  readonly agent: string;
  readonly project: string;
  readonly sessions: number;
  readonly sizeBytes: number;
}

/** What a deletion of several sessions prints with --json. */
export interface DeletionFacts {
  readonly refs: readonly string[];
  readonly groups: readonly DeletionGroup[];
  readonly oldest?: string;
  readonly newest?: string;
  readonly pinned: readonly string[];
  readonly left: readonly string[];
  readonly sizeBytes: number;
}

/** Sessions that a plan names one by one; of more it names the oldest and the newest. */
const namedSessions = 12;

/** Projects that a plan counts for an agent. */
const namedProjects = 3;

/** The facts of a deletion; sessions come newest first. */
export function deletionFacts({ deletable, pinned, left }: Chosen): DeletionFacts {
  const refs = deletable.map(({ session }) => referenceTo(session));
  const [newest, oldest] = [refs[0], refs.at(-1)];
  return {
    refs,
    groups: groupsOf(deletable),
    ...(oldest !== undefined && { oldest }),
    ...(newest !== undefined && { newest }),
    pinned: pinned.map(referenceTo),
    left,
    sizeBytes: deletable.reduce((sum, one) => sum + sizeOf(one), 0),
  };
}

/** The plan as people read it. */
export function deletionPlanText(
  { deletable, pinned }: Chosen,
  { groups, left, sizeBytes }: DeletionFacts,
  { words, context }: { readonly words: string; readonly context: CommandContext },
): string {
  const isShort = deletable.length <= namedSessions;
  const ends = [
    `Oldest: ${namedText(deletable.at(-1)!.session)}`,
    `Newest: ${namedText(deletable[0]!.session)}`,
  ];
  const each = deletable.flatMap((one) => [
    `  ${namedText(one.session)}`,
    ...deletedParts(partsOf(one), context.env, 1).map((part) => `    ${part}`),
  ]);
  return [
    `Would delete ${count(deletable.length, "session")} ${words}:`,
    ...agentLines(groups),
    ...(isShort ? each : ends),
    ...pinnedLines(pinned),
    ...leftLines(left),
    freedText(sizeBytes),
  ]
    .map((line) => `${safeLine(line)}\n`)
    .join("");
}

/** What stays and why, up to a maximum of lines. */
export function leftLines(left: readonly string[]): readonly string[] {
  const more = left.length - namedSessions;
  return [
    ...left.slice(0, namedSessions).map((why) => `Left: ${why}`),
    ...(more > 0 ? [`Left: ${more} more; --json names all`] : []),
  ];
}

function groupsOf(deletable: readonly Deletable[]): readonly DeletionGroup[] {
  const sizes = new Map(deletable.map((one) => [one.session.head, sizeOf(one)]));
  const groups = new Map<string, DeletionGroup>();
  for (const { name: project, heads } of groupByProject([...sizes.keys()])) {
    for (const head of heads) {
      const key = `${head.agent}\n${project}`;
      const { sessions, sizeBytes } = groups.get(key) ?? { sessions: 0, sizeBytes: 0 };
      groups.set(key, {
        agent: head.agent,
        project,
        sessions: sessions + 1,
        sizeBytes: sizeBytes + sizes.get(head)!,
      });
    }
  }
  return [...groups.values()].sort((a, b) => b.sessions - a.sessions);
}

/** A line for each agent: how many sessions, and in which projects most of them. */
function agentLines(groups: readonly DeletionGroup[]): readonly string[] {
  const agents = new Set(groups.map(({ agent }) => agent));
  return [...agents].map((agent) => {
    const its = groups.filter((group) => group.agent === agent);
    const total = its.reduce((sum, { sessions }) => sum + sessions, 0);
    const more = its.length - namedProjects;
    const projects = its
      .slice(0, namedProjects)
      .map(({ project, sessions }) => `${sessions} of ${project}`);
    const rest = more > 0 ? [`the others of ${count(more, "more project")}`] : [];
    const where = [...projects, ...rest].join(", ");
    return `  ${agent}: ${its.length === 1 ? where : `${total} (${where})`}`;
  });
}

function namedText(session: FoundSession): string {
  const day = isoDay(Date.parse(session.head.updatedAt));
  return `${referenceTo(session)}  ${day}  ${shortTitleOf(session.head)}`;
}

/** That pinned sessions stay, without a full stop. */
export function pinnedText(pinned: number): string {
  return `Left: ${count(pinned, "pinned session")}; --pinned deletes ${pinned === 1 ? "it" : "them"} too`;
}

function pinnedLines(pinned: readonly FoundSession[]): readonly string[] {
  if (pinned.length === 0) return [];
  const more = pinned.length - namedSessions;
  return [
    `${pinnedText(pinned.length)}:`,
    ...pinned.slice(0, namedSessions).map((session) => `  ${namedText(session)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

function sizeOf({ session, plan }: Deletable): number {
  return plan?.sizeBytes ?? session.ref.sizeBytes;
}

function partsOf({ session, plan }: Deletable): Omit<Deleted, "sizeBytes"> {
  if (plan === undefined) return { files: [session.ref.path], pieces: [], rows: 0 };
  return { files: plan.files, pieces: plan.pieces, rows: plan.rowCount };
}
