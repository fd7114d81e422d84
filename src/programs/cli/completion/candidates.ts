import { findNewest } from "../../../agents/find-sessions.ts";
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
  return /^[<[](?:ref|session)/.test(spec.name) ? sessions(await context()) : [];
}

/** The newest sessions by the beginnings of their ids, and `@last`. */
function sessions(context: CommandContext): readonly Candidate[] {
  const { sessions: newest, ids } = findNewest(context, {}, limits.completedSessions);
  const short = shortIds(ids);
  return [
    { value: "@last", says: "the newest session of this project" },
    ...newest.map(({ head }) => {
      const age = relativeTime(Date.parse(head.updatedAt), context.nowMs);
      const says = shortTitleOf(head);
      return {
        value: short.get(head.session) ?? head.session,
        says: `${says} (${head.agent}, ${age})`,
      };
    }),
  ];
}
