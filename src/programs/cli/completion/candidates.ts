import { sessionsBegun } from "../../../agents/begun-ids.ts";
import { type FoundSession, findNewest } from "../../../agents/find-sessions.ts";
import { shortIds } from "../../../agents/reference.ts";
import { agentNames } from "../../../agents/registry.ts";
import { limits } from "../../../base/limits.ts";
import { shortTitleOf } from "../render/heading.ts";
import { relativeTime } from "../render/time.ts";
import { actionIn, flagsOf } from "../run/actions.ts";
import { type Command, type CommandContext, commonFlags, type FlagSpec } from "../run/command.ts";
import { commandNamed, commands } from "../run/commands.ts";

/** Something that can be typed next. */
export interface Candidate {
  readonly value: string;
  readonly says: string;
}

/** What can be typed in place of the last word, which may be empty; none where the shell knows better, as for files. */
export async function candidatesFor(
  words: readonly string[],
  context: () => Promise<CommandContext>,
): Promise<readonly Candidate[]> {
  const [name = "", ...rest] = words;
  if (rest.length === 0) return beginning(commandCandidates(), name);
  const command = await commandNamed(name)?.load();
  const last = rest.at(-1) ?? "";
  if (command === undefined) return name === "help" ? beginning(commandCandidates(), last) : [];
  const flags = [...flagsOf(command, actionIn(command, rest)), ...commonFlags];
  const asked = flags.find((flag) => takesValue(flag) && isNamed(flag, rest.at(-2) ?? ""));
  if (asked !== undefined) return beginning(valuesOf(asked), last);
  if (last.startsWith("-")) return beginning(flags.map(flagCandidate), last);
  return beginning(await argumentsOf(command, rest, context), last);
}

function commandCandidates(): readonly Candidate[] {
  return commands.map(({ name, summary }) => ({ value: name, says: summary }));
}

function beginning(candidates: readonly Candidate[], start: string): readonly Candidate[] {
  return candidates.filter(({ value }) => value.startsWith(start));
}

function takesValue({ kind }: FlagSpec): boolean {
  return kind !== "switch";
}

function isNamed({ flags }: FlagSpec, word: string): boolean {
  return flags.split(/[ ,]+/).includes(word);
}

function flagCandidate({ flags, says }: FlagSpec): Candidate {
  return { value: flags.split(/[ ,]+/).find((word) => word.startsWith("--")) ?? flags, says };
}

/** The values a flag takes, as far as they are known: its choices, or the agents. */
function valuesOf({ flags, choices, meanings }: FlagSpec): readonly Candidate[] {
  if (choices !== undefined)
    return choices.map((value, at) => ({ value, says: meanings?.[at] ?? "" }));
  if (!/^(?:--agent|--in|--to) /.test(flags)) return [];
  return agentNames().map((value) => ({ value, says: "" }));
}

/** What a command takes in the place of the last word: sessions, agents, or one of the words it knows. */
async function argumentsOf(
  { args, actions }: Command,
  rest: readonly string[],
  context: () => Promise<CommandContext>,
): Promise<readonly Candidate[]> {
  const typed = rest.filter((word) => !word.startsWith("-")).length - 1;
  if (typed === 0 && actions !== undefined) {
    return actions.map(({ name, says }) => ({ value: name, says }));
  }
  const spec = args[Math.min(Math.max(0, typed), args.length - 1)];
  if (spec === undefined) return [];
  const words = /^[<[]([a-z]+(?:\|[a-z]+)+)/.exec(spec.name)?.[1]?.split("|");
  if (words !== undefined) return words.map((value) => ({ value, says: "" }));
  if (/^[<[]agent/.test(spec.name)) return agentNames().map((value) => ({ value, says: "" }));
  if (!/^[<[](?:ref|session)/.test(spec.name)) return [];
  return sessions(rest.at(-1) ?? "", await context());
}

/** Sessions by the beginnings of their ids, those of this project first, and `@last`. */
function sessions(typed: string, context: CommandContext): readonly Candidate[] {
  const named = typed === "" ? newestHereFirst(context) : begunSoFar(typed, context);
  // One id may lie in two agents' stores; what is typed for it is offered once.
  const byName = new Map(named.toReversed().map(({ value, says }) => [value, says]));
  return [
    { value: "@last", says: "the newest session of this project" },
    ...[...byName].reverse().map(([value, says]) => ({ value, says })),
  ];
}

function newestHereFirst(context: CommandContext): readonly Candidate[] {
  const most = limits.completedSessions;
  const here = findNewest(context, { here: context.env.cwd }, most);
  const { sessions: newest, ids } = findNewest(context, {}, most);
  const own = new Set(here.sessions.map(({ ref }) => ref.path));
  const others = newest.filter(({ ref }) => !own.has(ref.path));
  const short = shortIds(ids);
  return [...here.sessions, ...others].slice(0, most).map((session) => {
    const { session: id } = session.head;
    return candidate(short.get(id) ?? id, session, context);
  });
}

function begunSoFar(typed: string, context: CommandContext): readonly Candidate[] {
  if (typed.startsWith("@")) return [];
  return sessionsBegun(typed, context, limits.completedSessions).map(({ name, session }) =>
    candidate(name, session, context),
  );
}

function candidate(value: string, { head }: FoundSession, { nowMs }: CommandContext): Candidate {
  const age = relativeTime(Date.parse(head.updatedAt), nowMs);
  return { value, says: `${shortTitleOf(head)} (${head.agent}, ${age})` };
}
