import type { Command, Invocation } from "./command.ts";
import { flagValues } from "./flag-values.ts";

/**
 * What was typed, where it is words alone and as many as the command takes: nothing has to be parsed, and no parser
 * loaded. Undefined for anything else.
 */
export function plainWords(
  { args }: Pick<Command, "args">,
  words: readonly string[],
): Invocation | undefined {
  const needed = args.filter(({ name }) => name.startsWith("<")).length;
  const most = args.some(({ name }) => /\.\.\.[\]>]$/.test(name)) ? words.length : args.length;
  const isPlain = words.every((word) => !word.startsWith("-"));
  if (!isPlain || words.length < needed || words.length > most) return undefined;
  return { args: words, flags: flagValues(new Map()) };
}
