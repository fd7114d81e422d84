import type { Agent } from "../../../agents/contract.ts";
import type { Environment } from "../../../base/env.ts";
import type { Colours } from "../terminal/colours.ts";
import type { Output } from "../terminal/output.ts";

/** How the value of a flag is read; a flag without a value is a `switch`. */
export type FlagKind = "switch" | "text" | "texts" | "count" | "time" | "until" | "size" | "event";

/** One flag of a command, as data: the parser, the help and the docs are made from it. */
export interface FlagSpec {
  /** As commander writes it, such as `-o, --output <file>`. */
  readonly flags: string;
  readonly says: string;
  readonly kind: FlagKind;
  readonly choices?: readonly string[];
  /** What each choice means, in the order of the choices, for words that do not explain themselves. */
  readonly meanings?: readonly string[];
  /** The actions that take it; absent if every action does. */
  readonly of?: readonly string[];
}

/** One of several things that a command does; the first word chooses it. */
export interface ActionSpec {
  readonly name: string;
  /** The words behind it, such as `<key> [value...]`; absent if there are none. */
  readonly takes?: string;
  /** Other words for it that are accepted. */
  readonly also?: readonly string[];
  readonly says: string;
}

/** One argument of a command. */
export interface ArgumentSpec {
  /** `<ref>` must be given, `[ref]` may be, `[ref...]` takes the rest. */
  readonly name: string;
  readonly says: string;
}

/** A line to type, and what it does. */
export interface Example {
  readonly line: string;
  readonly says: string;
}

/** What was given for the flags, by the camel-cased name; asking for a name never given is `undefined`. */
export interface FlagValues {
  isSet(name: string): boolean;
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  number(name: string): number | undefined;
}

/** What the user typed, checked. */
export interface Invocation {
  readonly args: readonly string[];
  readonly flags: FlagValues;
  /** What stands behind `--`, for a command that takes paths there. */
  readonly paths?: readonly string[];
}

/** Everything a command may know of the outside. */
export interface CommandContext {
  readonly env: Environment;
  readonly agents: readonly Agent[];
  readonly out: Output;
  readonly colours: Colours;
  readonly json: boolean;
  readonly nowMs: number;
  /** Where files the user names lie; with the sample this is not where the sessions ran. */
  readonly folder: string;
  /** Whether the sample home stands in for the user's. */
  readonly sample: boolean;
  /** Nothing was typed but the program's name: what is shown is for a person who looks around. */
  readonly bare: boolean;
}

/** A command as data and a function: what it takes, how it is explained, what it does. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly details?: string;
  readonly args: readonly ArgumentSpec[];
  /** What its first argument may be, for a command that does several things; each has help of its own. */
  readonly actions?: readonly ActionSpec[];
  readonly flags: readonly FlagSpec[];
  readonly examples: readonly Example[];
  /** The stable shape of `--json`, as a TypeScript type. */
  readonly json: string;
  /** A word with one dash in front is an argument, such as what a search leaves out, unless it is a short flag of the command. */
  readonly dashedWords?: true;
  /** Words behind `--` are paths. */
  readonly pathsBehind?: true;
  /** Whether it is about to change something: then what killed commands left is settled first. */
  changes?(invocation: Invocation): boolean;
  /** Runs without the agents' readers: `context.agents` is empty, and starting takes half the time. */
  readonly withoutAgents?: boolean;
  /** Only looks at what is there: `context.agents` leaves out agents that have no store on this machine. */
  readonly presentAgents?: boolean;
  run(invocation: Invocation, context: CommandContext): Promise<void>;
}

/** Flags every command takes. */
export const commonFlags: readonly FlagSpec[] = [
  { flags: "--json", says: "print JSON in a stable format", kind: "switch" },
  { flags: "--sample", says: "use the sample sessions instead of your own", kind: "switch" },
];
