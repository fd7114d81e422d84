import type { Agent } from "../../../agents/contract.ts";
import { agentsIn, everyAgent, registerUserAgents } from "../../../agents/user-agents.ts";
import { type Environment, processEnvironment } from "../../../base/env.ts";
import { errorHints, isRepriseError, RepriseError } from "../../../base/errors.ts";
import { version } from "../../../base/version.ts";
import { coloursFor } from "../terminal/colours.ts";
import { isScreen, isTerminal, processOutput } from "../terminal/output.ts";
import { safeText } from "../terminal/terminal-text.ts";
import type { Command, CommandContext, Invocation } from "./command.ts";
import { commandNamed, commands } from "./commands.ts";
import { asRepriseError, errorJson, errorText, exitCodeOf, exitCodes } from "./errors.ts";
import { overview } from "./overview.ts";
import type { HelpAsked } from "./parse.ts";
import { plainWords } from "./plain-words.ts";
import { runCommand } from "./run-command.ts";

/** Runs one command line and tells its exit code; what fails is explained on standard error. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const out = processOutput();
  const real = processEnvironment();
  const wantsJson = argv.includes("--json");
  try {
    // Help and version answer from the table alone; everything else loads only what it runs.
    const about = argv.length === 1 ? aboutText(argv[0]!) : undefined;
    if (about !== undefined) {
      await out.write(about);
      return exitCodes.ok;
    }
    const asked = commandLine(argv, { isScreen: isScreen(0) && isScreen(1) });
    const entry = commandNamed(asked.word);
    if (entry === undefined) throw unknownCommand(asked.word);
    registerUserAgents(real, out.note);
    const command = await entry.load();
    const nowMs = Date.now();
    const { rest, paths } = withoutPaths(command, asked.rest);
    const words =
      (asked.help ? undefined : plainWords(command, rest)) ??
      (await parsed(command, { ...asked, rest }, { nowMs }));
    if ("help" in words) {
      await out.write(words.help);
      return exitCodes.ok;
    }
    const invocation: Invocation = { ...words, ...(paths !== undefined && { paths }) };
    const sample = invocation.flags.isSet("sample");
    const env = sample
      ? await (await import("../sessions/sample.ts")).sampleEnvironment(real)
      : real;
    const context: CommandContext = {
      env,
      agents: await agentsFor(command, env, out.note),
      out,
      colours: coloursFor(real.variables, { isTerminal: out.isTerminal }),
      json: invocation.flags.isSet("json"),
      nowMs,
      folder: real.cwd,
      sample,
      bare: argv.length === 0,
    };
    await runChosen(command, invocation, context);
    return Number(process.exitCode ?? exitCodes.ok);
  } catch (thrown) {
    const error = hinted(asRepriseError(thrown), argv);
    const text = wantsJson
      ? errorJson(error)
      : errorText(error, coloursFor(real.variables, { isTerminal: isTerminal(2) }));
    out.note(text);
    if ((real.variables["REPRISE_DEBUG"] ?? "") !== "" && thrown instanceof Error) {
      out.note(safeText(thrown.stack ?? ""));
    }
    return exitCodeOf(error.code);
  }
}

/** What stands behind `--`, where the command takes paths there. */
function withoutPaths(
  { pathsBehind }: Command,
  words: readonly string[],
): { readonly rest: readonly string[]; readonly paths?: readonly string[] } {
  const at = pathsBehind ? words.indexOf("--") : -1;
  return at < 0 ? { rest: words } : { rest: words.slice(0, at), paths: words.slice(at + 1) };
}

/** Runs a command; where a reference means several sessions, a person on a terminal chooses one of them. */
async function runChosen(
  command: Command,
  invocation: Invocation,
  context: CommandContext,
): Promise<void> {
  try {
    await runCommand(command, invocation, context);
  } catch (error) {
    const isAsked = isRepriseError(error, "ambiguous") && !context.json;
    if (!isAsked || !isScreen(0) || !isScreen(1)) throw error;
    const { chooseMeant } = await import("../home/choose-meant.ts");
    const meant = await chooseMeant(error, { command, invocation, context });
    if (meant === undefined) throw error;
    await runCommand(command, meant, context);
  }
}

async function agentsFor(
  command: Command,
  env: Environment,
  note: (text: string) => void,
): Promise<readonly Agent[]> {
  if (command.withoutAgents) return [];
  return command.presentAgents ? agentsIn(env, note) : everyAgent(note);
}

async function parsed(
  command: Command,
  asked: CommandLine,
  options: { readonly nowMs: number },
): Promise<Invocation | HelpAsked> {
  const { helpText, parseInvocation } = await import("./parse.ts");
  return asked.help ? { help: helpText(command) } : parseInvocation(command, asked.rest, options);
}

/** The version or the overview, where the word asks for one of them. */
function aboutText(word: string): string | undefined {
  if (/^(--version|-V|-v|version)$/.test(word)) return `${version}\n`;
  return /^(--help|-h|help)$/.test(word) ? overview() : undefined;
}

/** What a command line asks for, once the habits of the field are put into our words. */
export interface CommandLine {
  readonly word: string;
  readonly rest: readonly string[];
  readonly help: boolean;
}

/** Turns `--continue`, `--resume [ref]`, `help list`, a bare `reprise` and leading flags into a command. */
export function commandLine(
  argv: readonly string[],
  options: { readonly isScreen: boolean },
): CommandLine {
  const leading: string[] = [];
  let at = 0;
  while (argv[at] === "--sample" || argv[at] === "--json") {
    leading.push(argv[at]!);
    at += 1;
  }
  const [word, ...after] = argv.slice(at);
  const rest = [...after, ...leading];
  if (word === undefined || word.startsWith("-")) return bare(word, rest, options);
  if (word === "help") return { word: after[0] ?? "help", rest: [], help: true };
  return { word, rest, help: false };
}

function bare(
  word: string | undefined,
  rest: readonly string[],
  options: { readonly isScreen: boolean },
): CommandLine {
  const plain = options.isScreen && !rest.includes("--json") ? "pick" : "list";
  switch (word) {
    case undefined:
      return { word: plain, rest, help: false };
    case "--continue":
    case "-c":
      return { word: "continue", rest, help: false };
    case "--resume":
    case "-r":
      return { word: "resume", rest, help: false };
    default:
      // Flags alone belong to the list: `reprise --here`.
      return { word: "list", rest: [word, ...rest], help: false };
  }
}

/** Wrong usage of a known command is explained by that command's help. */
function hinted(error: RepriseError, argv: readonly string[]): RepriseError {
  const { code, message, details } = error;
  const entry = argv.map(commandNamed).find((found) => found !== undefined);
  if (code !== "usage" || error.hint !== errorHints.usage || entry === undefined) return error;
  const hint = `See \`reprise ${entry.name} --help\`.`;
  return new RepriseError(code, message, { cause: error, hint, details });
}

function unknownCommand(word: string): RepriseError {
  const allowed = Math.max(1, Math.floor(word.length / 3));
  const near =
    commands.find(({ name }) => word.length >= 3 && name.startsWith(word.slice(0, 3))) ??
    commands.find(({ name }) => distance(name, word) <= allowed);
  return new RepriseError("usage", `There is no command ${JSON.stringify(word)}.`, {
    ...(near !== undefined && { hint: `Did you mean \`reprise ${near.name}\`?` }),
  });
}

/** How many letters must change to turn one word into the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, swap));
    }
    row = next;
  }
  return row[b.length]!;
}
