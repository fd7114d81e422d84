import { Option } from "commander";
import { type Command, commonFlags, type FlagSpec } from "./command.ts";
import { yesFlag } from "./plan.ts";

/** How many flags a hint names. */
const most = 3;

/** What other programs call an answer that is not asked for, and a plan that is only shown. */
const agreeing = ["force", "assume-yes", "no-confirm"];
const planning = ["dry-run", "dryrun", "plan", "preview"];

/** Options that something of another name answers. */
const elsewhere: readonly {
  readonly command: string;
  readonly option: string;
  readonly says: string;
}[] = [
  { command: "show", option: "tail", says: "Did you mean --last?" },
  { command: "search", option: "failed", says: "Did you mean is:error, among the words?" },
  { command: "search", option: "errors", says: "Did you mean is:error, among the words?" },
  { command: "list", option: "search", says: "`reprise search <words>` finds sessions by words." },
  {
    command: "stats",
    option: "sort",
    says: "The groups with the highest cost come first; days in their order.",
  },
  ...["no-start", "no-launch", "no-run", "copy"].map((option) => ({
    command: "resume",
    option,
    says: "`reprise fork <ref> --in <agent>` writes the copy and starts nothing.",
  })),
  ...["older-than", "before", "age", "ttl"].map((option) => ({
    command: "delete",
    option,
    says: "Did you mean --until? `reprise delete --until 6mo` shows what was not changed for six months.",
  })),
  {
    command: "delete",
    option: "all",
    says: "Which ones? `reprise delete --until 6mo` shows what was not changed for six months; --agent, --project and others choose too.",
  },
  { command: "export", option: "all", says: "`reprise backup <folder>` copies all sessions." },
];

/** A sentence about what was probably meant by an option that a command does not know; empty if nothing comes to mind. */
export function optionMeant(command: Pick<Command, "name" | "flags">, typed: string): string {
  const flags = [...command.flags, ...commonFlags];
  const name = typed.replace(/^--?/, "").replace(/=.*$/, "").toLowerCase();
  const other = elsewhere.find((one) => one.command === command.name && one.option === name);
  if (other !== undefined) return other.says;
  const chosen = flags.find(({ choices }) => choices?.includes(name));
  if (chosen !== undefined) return `Did you mean ${longName(chosen)} ${name}?`;
  const longs = flags.map(longName);
  if (longs.includes("--yes") && agreeing.includes(name)) return "Did you mean --yes?";
  if (flags.some(({ says }) => says === yesFlag.says) && planning.includes(name))
    return "Leave out --yes to see what would be done.";
  const shows = ["--dry-run", "--print"].find((long) => longs.includes(long));
  if (shows !== undefined && planning.includes(name)) return `Did you mean ${shows}?`;
  if (!/^-[^-]/.test(typed)) return "";
  const begun = longs.filter((long) => long.startsWith(`--${name.charAt(0)}`));
  return begun.length === 0 || begun.length > most ? "" : `Did you mean ${begun.join(" or ")}?`;
}

/** A sentence about what words were probably meant for that a command does not take; empty if nothing comes to mind. */
export function wordsMeant(
  { name, args, flags }: Pick<Command, "name" | "args" | "flags">,
  words: readonly string[],
): string {
  const takesProject = flags.some((flag) => longName(flag) === "--project");
  if (args.length > 0 || words.length === 0 || !takesProject) return "";
  const text = words.every((word) => /^[\w./~-]+$/.test(word)) ? words.join(" ") : "words";
  const quoted = words.length === 1 ? text : `"${text}"`;
  return `For a project: \`reprise ${name} --project ${quoted}\`. For words in sessions: \`reprise search ${text}\`.`;
}

/** The name of a flag as it is typed in full. */
export function longName(flag: FlagSpec): string {
  return new Option(flag.flags).long ?? flag.flags;
}
