import { Argument, Command as Commander, CommanderError, Option } from "commander";
import { eventName } from "../../../agents/event-name.ts";
import { RepriseError } from "../../../base/errors.ts";
import { parseTime } from "../../../base/parse-time.ts";
import { parseSize } from "../render/size.ts";
import { wrapped } from "../terminal/width.ts";
import { type Command, commonFlags, type FlagSpec, type Invocation } from "./command.ts";
import { flagValues } from "./flag-values.ts";

/** The user asked for help instead; `text` is it. */
export interface HelpAsked {
  readonly help: string;
}

/** Reads a command's arguments by its specification; anything it does not know is a `usage` error. */
export function parseInvocation(
  command: Command,
  argv: readonly string[],
  options: { readonly nowMs: number },
): Invocation | HelpAsked {
  const parser = parserOf(command);
  try {
    parser.parse(command.dashedWords ? argv.map(shielded) : [...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.helpDisplayed") return { help: helpText(command) };
    throw new RepriseError("usage", sentence(error.message), {
      hint: `See \`reprise ${command.name} --help\`.`,
    });
  }
  const given: Readonly<Record<string, unknown>> = parser.opts();
  const values = new Map<string, unknown>();
  for (const flag of [...command.flags, ...commonFlags]) {
    const name = new Option(flag.flags).attributeName();
    if (given[name] !== undefined) values.set(name, readValue(flag, given[name], options.nowMs));
  }
  return { args: parser.args.map(unshielded), flags: flagValues(values) };
}

/** No one can type it. */
const shield = "\0";

/** A word that looks like a short flag, made to look like none. */
function shielded(word: string): string {
  return /^-[^-]/.test(word) && word !== "-h" ? `${shield}${word}` : word;
}

function unshielded(text: string): string {
  return text.replace(shield, "");
}

/** Help is as wide as the narrowest terminal in use, and the same everywhere. */
const helpColumns = 80;

/** The help of a command: usage, flags, examples, the shape of its JSON. */
export function helpText(command: Command): string {
  const parts = [parserOf(command).helpInformation().trimEnd()];
  if (command.details !== undefined) {
    parts.push(wrapped(command.details.replaceAll("\n", " "), helpColumns).join("\n"));
  }
  const lines = command.examples.map(({ line, says }) => `  ${line}\n      ${says}`);
  parts.push(`Examples:\n${lines.join("\n")}`);
  parts.push(`With --json:\n  ${command.json.replaceAll("\n", "\n  ")}`);
  return `${parts.join("\n\n")}\n`;
}

function parserOf(command: Command): Commander {
  const parser = new Commander(`reprise ${command.name}`)
    .description(command.summary)
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({ writeOut: () => {}, writeErr: () => {}, getOutHelpWidth: () => helpColumns })
    // What a flag says names its choices already.
    .configureHelp({ optionDescription: ({ description }) => description });
  for (const { name, says } of command.args) parser.addArgument(new Argument(name, says));
  for (const flag of [...command.flags, ...commonFlags]) {
    const option = new Option(flag.flags, flag.says);
    if (flag.choices !== undefined) option.choices([...flag.choices]);
    if (flag.kind === "texts") {
      option.argParser((value: string, before: readonly string[] | undefined) => [
        ...(before ?? []),
        value,
      ]);
    }
    parser.addOption(option);
  }
  return parser;
}

function readValue(flag: FlagSpec, given: unknown, nowMs: number): unknown {
  if (typeof given !== "string") return given;
  const value = unshielded(given);
  switch (flag.kind) {
    case "switch":
    case "text":
    case "texts":
      return value;
    case "count":
      if (/^\d{1,9}$/.test(value)) return Number(value);
      throw new RepriseError("usage", `${longName(flag)} needs a whole number, not ${value}.`);
    case "event":
      if (eventName.test(value)) return value;
      throw new RepriseError("usage", `${longName(flag)} needs an event's number, not ${value}.`);
    case "time":
      return parseTime(value, nowMs);
    case "size":
      return parseSize(value);
  }
}

function longName(flag: FlagSpec): string {
  return new Option(flag.flags).long ?? flag.flags;
}

function sentence(message: string): string {
  const plain = unshielded(message.replace(/^error: /, ""));
  const ended = /[.!?]$/.test(plain) ? plain : `${plain}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}
