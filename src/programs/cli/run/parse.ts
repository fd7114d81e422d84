import { Argument, Command as Commander, CommanderError, Option } from "commander";
import { eventName } from "../../../agents/event-name.ts";
import { RepriseError } from "../../../base/errors.ts";
import { parseTime, parseUntil } from "../../../base/parse-time.ts";
import { parseSize } from "../render/size.ts";
import { wrapped } from "../terminal/width.ts";
import { actionIn, flagsOf } from "./actions.ts";
import {
  type ActionSpec,
  type Command,
  commonFlags,
  type Example,
  type FlagSpec,
  type Invocation,
} from "./command.ts";
import { flagValues } from "./flag-values.ts";
import { shapesOf } from "./json-shapes.ts";
import { longName, optionMeant, wordsMeant } from "./unknown-option.ts";

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
    parser.parse(command.dashedWords ? shieldedWords(command, argv) : [...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.helpDisplayed") return { help: helpFor(command, argv) };
    const hint = hintFor(command, error, parser.args);
    // One suggestion is enough: ours knows more than how an option is spelt.
    const isMeant = /^Did you mean|^Which/.test(hint);
    const said = isMeant ? error.message.replace(/\s*\(Did you mean.*\)$/s, "") : error.message;
    throw new RepriseError("usage", sentence(said), { hint });
  }
  const given: Readonly<Record<string, unknown>> = parser.opts();
  const values = new Map<string, unknown>();
  for (const flag of [...command.flags, ...commonFlags]) {
    const name = new Option(flag.flags).attributeName();
    if (given[name] !== undefined) values.set(name, readValue(flag, given[name], options.nowMs));
  }
  return { args: parser.args.map(unshielded), flags: flagValues(values) };
}

/** What helps with a line that could not be read. */
function hintFor(
  command: Command,
  { code, message }: CommanderError,
  words: readonly string[],
): string {
  const help = `See \`reprise ${command.name} --help\`.`;
  if (code === "commander.excessArguments")
    return `${wordsMeant(command, words.map(unshielded))} ${help}`.trimStart();
  const typed = /'(-[^']*)'/.exec(unshielded(message))?.[1];
  if (code !== "commander.unknownOption" || typed === undefined) return help;
  return `${optionMeant(command, typed)} ${help}`.trimStart();
}

/** No one can type it. */
const shield = "\0";

/** The words with those that only look like short flags of the command made to look like none. */
function shieldedWords({ flags }: Command, argv: readonly string[]): string[] {
  const shorts = new Set([...flags, ...commonFlags].map((flag) => new Option(flag.flags).short));
  const isShort = (word: string): boolean =>
    shorts.has(word) || (/^-\w=?\d+$/.test(word) && shorts.has(word.slice(0, 2)));
  const isWord = (word: string): boolean => /^-[^-]/.test(word) && word !== "-h" && !isShort(word);
  return argv.map((word) => (isWord(word) ? `${shield}${word}` : word));
}

function unshielded(text: string): string {
  return text.replace(shield, "");
}

/** Help is as wide as the narrowest terminal in use, and the same everywhere. */
const helpColumns = 80;

/** The help that some words ask for: that of the action they name first, else that of the command. */
export function helpFor(command: Command, words: readonly string[]): string {
  const action = actionIn(command, words);
  if (action !== undefined) return actionHelp(command, action);
  return command.actions === undefined ? helpText(command) : firstHelp(command);
}

/** Examples on the first screen of a command with actions. */
const firstExamples = 2;

/** The first screen of a command with actions: what they are. What belongs to one of them is in its own help. */
function firstHelp(command: Command): string {
  const whole = `reprise ${command.name}`;
  const shared = command.flags.filter(({ of }) => of === undefined);
  const parts = [
    parserOf({ ...command, flags: shared })
      .helpInformation()
      .trimEnd(),
    ...detailsOf(command),
    exampleText(command.examples.slice(0, firstExamples)),
    `Options, examples and JSON of one action: ${whole} <action> --help`,
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The help of one action alone: the flags it takes, and its examples. */
function actionHelp(command: Command, action: ActionSpec): string {
  const whole = `reprise ${command.name}`;
  const alone: Command = {
    ...command,
    name: `${command.name} ${action.name}`,
    summary: action.says,
    args: action.takes?.split(" ").map((name) => ({ name, says: "" })) ?? [],
    actions: [],
    flags: flagsOf(command, action).map(({ of: _theOne, ...flag }) => flag),
  };
  const examples = command.examples.filter(({ line }) =>
    `${line} `.startsWith(`${whole} ${action.name} `),
  );
  const parts = [
    parserOf(alone).helpInformation().trimEnd(),
    ...(examples.length === 0 ? [] : [exampleText(examples)]),
    jsonText(wrappedShapes(shapesOf(command, action))),
    `All actions: ${whole} --help`,
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The whole help of a command, all of its actions included: usage, actions, flags, examples, the shape of its JSON. */
export function helpText(command: Command): string {
  const parts = [
    parserOf(command).helpInformation().trimEnd(),
    ...detailsOf(command),
    ...command.flags.flatMap(meaningText),
    exampleText(command.examples),
    jsonText(command.json),
  ];
  return `${parts.join("\n\n")}\n`;
}

function detailsOf({ details }: Command): readonly string[] {
  return details === undefined
    ? []
    : [wrapped(details.replaceAll("\n", " "), helpColumns).join("\n")];
}

function wrappedShapes(shapes: string): string {
  const lines = shapes.split(/\n(?=\S)/).flatMap((shape) => {
    const whole = shape.replace(/\s*\n\s*/g, " ");
    return wrapped(whole, helpColumns - 4).map((line, at) => (at === 0 ? line : `  ${line}`));
  });
  return lines.join("\n");
}

function jsonText(shapes: string): string {
  return `With --json:\n  ${shapes.replaceAll("\n", "\n  ")}`;
}

/** The choices of a flag that have to be explained, one in a line. */
function meaningText({ flags, choices = [], meanings }: FlagSpec): readonly string[] {
  if (meanings === undefined) return [];
  const width = Math.max(...choices.map((choice) => choice.length));
  const lines = choices.map((choice, at) => `  ${choice.padEnd(width)}  ${meanings[at]}`);
  return [`What ${flags} takes:\n${lines.join("\n")}`];
}

function exampleText(examples: readonly Example[]): string {
  const lines = examples.map(({ line, says }) => `  ${line}\n      ${says}`);
  return `Examples:\n${lines.join("\n")}`;
}

/** What a command is for, and its actions, one in a line. */
function description({ summary, name, actions = [] }: Command): string {
  if (actions.length === 0) return summary;
  const width = Math.max(...actions.map((action) => action.name.length));
  const lines = actions.map((action) => `  ${action.name.padEnd(width)}  ${action.says}`);
  return `${summary}\n\nActions (reprise ${name} <action> --help has the options of one):\n${lines.join("\n")}`;
}

function parserOf(command: Command): Commander {
  const parser = new Commander(`reprise ${command.name}`)
    .description(description(command))
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({ writeOut: () => {}, writeErr: () => {}, getOutHelpWidth: () => helpColumns })
    // What a flag says names its choices already.
    .configureHelp({ optionDescription: ({ description }) => description });
  for (const { name, says } of command.args) parser.addArgument(new Argument(name, says));
  for (const flag of [...command.flags, ...commonFlags]) {
    const option = new Option(flag.flags, flag.says);
    if (flag.of !== undefined) option.helpGroup(`Options of ${flag.of.join(", ")}:`);
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
    case "until":
      return parseUntil(value, nowMs);
    case "size":
      return parseSize(value);
  }
}

function sentence(message: string): string {
  const plain = unshielded(message.replace(/^error: /, ""));
  const ended = /[.!?]$/.test(plain) ? plain : `${plain}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}
