import { RepriseError } from "../../../base/errors.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import type { ActionSpec, Command, CommandContext, FlagSpec, Invocation } from "./command.ts";
import { commandNamed } from "./commands.ts";

/** An action, and what it does. */
export interface Action extends ActionSpec {
  /** It changes something: what killed commands left is settled first. */
  readonly changes?: true;
  run(invocation: Invocation, context: CommandContext): Promise<void>;
}

/** The action of a command that the first of some words names; undefined if none does. */
export function actionIn(
  { actions }: Pick<Command, "actions">,
  words: readonly string[],
): ActionSpec | undefined {
  const first = words.find((word) => !word.startsWith("-"));
  return actions?.find(({ name, also }) => name === first || also?.includes(first ?? ""));
}

/** The arguments of a command, with the name of the action that the first one means. */
export function withActionName(
  { actions }: Pick<Command, "actions">,
  args: readonly string[],
): readonly string[] {
  const action = actions?.find(({ also }) => also?.includes(args[0] ?? ""));
  return action === undefined ? args : [action.name, ...args.slice(1)];
}

/** Where the first of some words is a command by itself: that, with the others. */
export function commandHint(words: readonly string[]): string | undefined {
  if (commandNamed(words[0] ?? "") === undefined) return undefined;
  return `Did you mean \`reprise ${words.map(safeLine).join(" ")}\`?`;
}

/** The flags that an action takes; without one, all flags of the command. */
export function flagsOf(
  { flags }: Pick<Command, "flags">,
  action: ActionSpec | undefined,
): readonly FlagSpec[] {
  if (action === undefined) return flags;
  return flags.filter(({ of }) => of === undefined || of.includes(action.name));
}

/** The action of a table that the first of some words names; any other is a `usage` error that lists them. */
export function actionNamed(
  actions: readonly Action[],
  words: readonly string[],
  options: { readonly hint?: string | undefined } = {},
): Action {
  const [word = ""] = words;
  const found = actions.find(({ name }) => name === word);
  if (found !== undefined) return found;
  const names = actions.map(({ name }) => name).join(", ");
  throw new RepriseError("usage", `There is no action ${JSON.stringify(word)}.`, {
    hint: [options.hint ?? commandHint(words), `Use one of: ${names}.`].filter(Boolean).join(" "),
  });
}
