import { processEnvironment } from "../../base/env.ts";
import { search } from "./commands/search.ts";
import { runSearch } from "./reports/search-run.ts";
import type { FlagSpec, Invocation } from "./run/command.ts";
import { asRepriseError, errorJson, errorText, exitCodeOf } from "./run/errors.ts";
import { flagValues } from "./run/flag-values.ts";
import { coloursFor } from "./terminal/colours.ts";
import { isScreen, isTerminal, processOutput } from "./terminal/output.ts";

/**
 * Runs `reprise search` without loading what other commands need: starting is most of what a search costs.
 * Undefined where the line asks for something else, which the whole program then does.
 */
export async function runQuickSearch(argv: readonly string[]): Promise<number | undefined> {
  const invocation = readLine(argv);
  if (invocation === undefined) return undefined;
  const out = processOutput();
  const env = processEnvironment();
  const json = invocation.flags.isSet("json");
  if (invocation.args.length === 0 && !json && isScreen(0) && isScreen(1)) return undefined;
  const colours = coloursFor(env.variables, { isTerminal: out.isTerminal });
  try {
    await runSearch(invocation, { env, out, colours, json, nowMs: Date.now() });
    return 0;
  } catch (thrown) {
    const error = asRepriseError(thrown);
    const shown = coloursFor(env.variables, { isTerminal: isTerminal(2) });
    out.note(json ? errorJson(error) : errorText(error, shown));
    return exitCodeOf(error.code);
  }
}

/** Reads a line by the command's own table of flags; undefined where anything about it is unusual. */
function readLine(argv: readonly string[]): Invocation | undefined {
  const flags = new Map<string, FlagSpec>(
    search.flags.map((flag) => [/--[a-z]+/.exec(flag.flags)?.[0] ?? "", flag]),
  );
  const args: string[] = [];
  const values = new Map<string, unknown>();
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at]!;
    // A single dash leaves a word out; it is no flag of this command.
    if (!word.startsWith("--") && word !== "-h") {
      args.push(word);
      continue;
    }
    const flag = flags.get(word);
    if (word === "--json" || flag?.kind === "switch") {
      values.set(word.slice(2), true);
      continue;
    }
    at += 1;
    const value = argv[at];
    if (flag === undefined || value === undefined) return undefined;
    if (flag.kind === "count" && !/^\d{1,9}$/.test(value)) return undefined;
    values.set(word.slice(2), flag.kind === "count" ? Number(value) : value);
  }
  return { args, flags: flagValues(values) };
}
