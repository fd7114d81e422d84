import { version } from "../../../base/version.ts";
import { type Command, commonFlags, type FlagSpec } from "./command.ts";

/** The manual page of the program, in the language of `man`. */
export function manPage(commands: readonly Command[]): string {
  const sections = commands.map((command) => commandSection(command));
  return [
    `.TH REPRISE 1 "" "reprise ${version}" "User Commands"`,
    ".SH NAME",
    "reprise \\- keep the sessions of AI coding agents",
    ".SH SYNOPSIS",
    ".B reprise",
    "[\\fIcommand\\fR] [\\fIarguments\\fR]",
    ".SH DESCRIPTION",
    text(
      "Lists, shows, searches, resumes, forks, converts and deletes the sessions of every agent on this machine. Without a command it opens the home screen on a terminal, and prints a list elsewhere.",
    ),
    ".PP",
    text(
      "A session is named by the beginning of its id, agent:id, words of its title, a tag, a path, or @last (codex:@last for one agent); ref@57 names an event of it.",
    ),
    ".SH COMMANDS",
    ...sections,
    ".SH COMMON OPTIONS",
    ...commonFlags.map(({ flags, says }) => `.TP\n.B ${text(flags)}\n${text(says)}`),
    ".SH EXIT STATUS",
    ".TP\n.B 0\nok",
    ".TP\n.B 1\nfailed, or nothing was found",
    ".TP\n.B 2\nused wrongly, or a plan that needs \\-\\-yes",
    ".TP\n.B 3\nno such session",
    ".TP\n.B 4\na conflict",
    ".SH FILES",
    ".TP\n.I ~/.reprise\nthe store of reprise; REPRISE_HOME names another place",
    ".TP\n.I ~/.reprise/settings.json\nsettings; see reprise config \\-\\-help",
    ".SH ENVIRONMENT",
    ".TP\n.B REPRISE_HOME\nwhere the store lies",
    ".TP\n.B PAGER\nshows long output; less if it is not set",
    ".TP\n.B NO_COLOR\nno colours",
    "",
  ].join("\n");
}

function commandSection({
  name,
  summary,
  details,
  args,
  actions = [],
  flags,
  examples,
}: Command): string {
  const words = args.map((argument) => argument.name).join(" ");
  return [
    `.SS "reprise ${text(`${name} ${words}`).trim()}"`,
    text(`${summary}.`),
    ...(details === undefined ? [] : [".PP", text(details.replaceAll("\n", " "))]),
    ...actions.map((action) => `.TP\n.B ${text(action.name)}\n${text(action.says)}`),
    ...flags.map((flag) => `.TP\n.B ${text(flag.flags)}\n${text(flagSentence(flag))}`),
    ...examples.map(({ line, says }) => `.PP\n${text(says)}:\n.br\n.nf\n    ${text(line)}\n.fi`),
  ].join("\n");
}

/** What a flag does, after the actions that take it. */
function flagSentence({ of, says, choices = [], meanings }: FlagSpec): string {
  const explained = meanings?.map((meaning, at) => `${choices[at]}: ${meaning}`).join("; ");
  const whole = explained === undefined ? says : `${says}. ${explained}`;
  return of === undefined ? whole : `${of.join(", ")}: ${whole}`;
}

/** Text in which nothing is an order to the typesetter. */
function text(plain: string): string {
  const escaped = plain.replaceAll("\\", "\\e").replaceAll("-", "\\-");
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
